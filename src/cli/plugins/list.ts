import { printable } from '../../printable.ts';
import { KINDS } from '../../registry/kinds.ts';
import { BUILT_IN, type Registry } from '../../registry/registry.ts';

/** `feedloom plugins list`: a line per loaded extension with kind, id, origin and summary. */
export function pluginList(registry: Registry, external_only: boolean): string {
  const rows = KINDS.flatMap((kind) =>
    registry
      .all(kind)
      .filter(({ source }) => !external_only || source !== BUILT_IN)
      .map(({ id, source, extension }) => [kind, id, source, extension.summary].map(printable)),
  );
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n');
}
