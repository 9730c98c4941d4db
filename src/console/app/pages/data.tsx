import { may } from '../session.ts';
import { CodeBlock, saveAs } from '../ui/code.tsx';
import { listAllFeeds } from '../ui/feeds.tsx';
import { WorkButton } from '../ui/form.tsx';
import { Head, Section } from '../ui/layout.tsx';
import { counted } from '../ui/texts.ts';
import { tell } from '../ui/toast.tsx';
import { ImportSection } from './data/import-section.tsx';

/** Files in and out. */
export function DataPage() {
  return (
    <div class="data">
      <Head title="Data" />
      <ImportSection />
      <ExportSection />
    </div>
  );
}

/** Saved feeds as a file, and the command for everything else. */
function ExportSection() {
  const download = async (): Promise<void> => {
    const feeds = await listAllFeeds();
    saveAs('application/x-ndjson', 'feeds.jsonl', ...feeds.map((feed) => `${JSON.stringify(feed)}\n`));
    tell(`Saved ${counted(feeds.length, 'feed')}`);
  };
  return (
    <Section title="Export">
      {may('config:write') && (
        <>
          <p>The feeds of your account, one a line, as feedloom import reads them.</p>
          <WorkButton icon="data" work={download}>
            Download feeds.jsonl
          </WorkButton>
        </>
      )}
      <p>
        Everything that is stored, written on the machine of the service while it runs. <code>DIR</code> is a
        new folder, and <code>data</code> the data folder of the service:
      </p>
      <CodeBlock label="Command for an export" code="feedloom export DIR --data data" />
    </Section>
  );
}
