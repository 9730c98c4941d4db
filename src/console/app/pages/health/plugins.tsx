import type * as Api from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';

const WHOLE = new Intl.NumberFormat('en');
const TIME = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A loaded plugin with what it has cost. */
interface Row extends Pick<Api.Plugin, 'id' | 'kind' | 'source' | 'summary'> {
  pages: number;
  /** Null: not measured. */
  milliseconds: number | null;
}

/** The loaded plugins: first those that take the most time. */
export function Plugins({ tick }: { tick: number }) {
  const plugins = useResource(loadRows, [tick]);
  return (
    <section aria-labelledby="plugins">
      <h2 id="plugins">Plugins</h2>
      <p class="help">
        Pages and time since the start. Only scoring functions and candidate sources are timed; the others run
        once a post.
      </p>
      <Loaded resource={plugins}>
        {(rows) => {
          const used = rows.filter(({ pages }) => pages > 0);
          return (
            <>
              {used.length === 0 ? (
                <p>No page has been built yet.</p>
              ) : (
                <Table columns={COLUMNS} rows={used} keyOf={({ kind, id }) => `${kind} ${id}`} />
              )}
              <Others rows={rows.filter(({ pages }) => pages === 0)} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', cell: ({ id, summary }) => <span title={summary}>{id}</span> },
  { title: 'Kind', is_extra: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'Source', is_extra: true, cell: ({ source }) => source },
  { title: 'Pages', kind: 'number', cell: ({ pages }) => WHOLE.format(pages) },
  {
    title: 'ms a page',
    kind: 'number',
    cell: ({ milliseconds, pages }) =>
      milliseconds === null || pages === 0 ? '–' : TIME.format(milliseconds / pages),
  },
];

/** Plugins that no page has used, and those of which no pages are counted. */
function Others({ rows }: { rows: readonly Row[] }) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  return (
    <details>
      <summary>{rows.length} more are loaded</summary>
      <dl class="loaded-plugins">
        {kinds.map((kind) => (
          <div key={kind}>
            <dt>{kind.replaceAll('_', ' ')}</dt>
            <dd>
              {rows
                .filter((row) => row.kind === kind)
                .map(({ id, source }) => (source === 'built-in' ? id : `${id} (${source})`))
                .join(', ')}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

async function loadRows(signal: AbortSignal): Promise<Row[]> {
  const [plugins, costs] = await Promise.all([
    api().plugins({ signal }),
    api().call('GET', '/api/metrics/plugins', { signal }),
  ]);
  const rows = plugins.data.map(({ id, kind, source, summary }): Row => {
    const own = costs.data.filter((cost) => cost.id === id && cost.kind === kind);
    const times = own.flatMap(({ milliseconds }) => milliseconds ?? []);
    return {
      ...{ id, kind, source, summary },
      pages: sum(own.map(({ pages }) => pages)),
      milliseconds: times.length === 0 ? null : sum(times),
    };
  });
  return rows.sort(
    (one, other) => (other.milliseconds ?? 0) - (one.milliseconds ?? 0) || other.pages - one.pages,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
