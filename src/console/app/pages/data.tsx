import { ExportSection } from './data/export-section.tsx';
import { ImportSection } from './data/import-section.tsx';

export function DataPage(_: { rest: readonly string[] }) {
  return (
    <div class="data">
      <div class="head">
        <h1>Data</h1>
      </div>
      <ImportSection />
      <ExportSection />
    </div>
  );
}
