import type { AnswerOf, Plugin } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { Section } from '../../ui/layout.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { sum, whole } from '../../ui/texts.ts';

/** A loaded plugin with what it has cost. */
interface Row extends Pick<Plugin, 'id' | 'kind' | 'source' | 'summary'> {
  pages: number;
  /** Null: not measured. */
  milliseconds: number | null;
}

/** The loaded plugins: first those that take the most time. */
export function Plugins({ tick }: { tick: number }) {
  const plugins = useResource(loadRows, [tick]);
  return (
    <Section
      title="Plugins"
      help="Pages and time since the start. Only scoring functions, and signals that propose posts, are timed; the others run once a post."
    >
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
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', cell: ({ id, summary }) => <span title={summary}>{id}</span> },
  { title: 'Kind', is_extra: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'Source', is_extra: true, cell: ({ source }) => source },
  { title: 'Pages', kind: 'number', cell: ({ pages }) => whole(pages) },
  {
    title: 'ms a page',
    kind: 'number',
    cell: ({ milliseconds, pages }) =>
      milliseconds === null || pages === 0 ? '–' : (milliseconds / pages).toFixed(2),
  },
];

/** Plugins that no page has used, and those of which no pages are counted. */
function Others({ rows }: { rows: readonly Row[] }) {
  const by_kind = [...Map.groupBy(rows, ({ kind }) => kind)];
  return (
    <details>
      <summary>{rows.length} more are loaded</summary>
      <dl class="loaded-plugins">
        {by_kind.map(([kind, loaded]) => (
          <div key={kind}>
            <dt>{kind.replaceAll('_', ' ')}</dt>
            <dd>
              {loaded.map(({ id, source }) => (source === 'built-in' ? id : `${id} (${source})`)).join(', ')}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Signals are measured as what proposes candidates. */
function kindOf({ kind }: AnswerOf<'GET', '/api/metrics/plugins'>['data'][number]): Plugin['kind'] {
  return kind === 'candidate_sources' ? 'signals' : kind;
}

async function loadRows(signal: AbortSignal): Promise<Row[]> {
  const [plugins, costs] = await Promise.all([
    api().plugins({ signal }),
    api().call('GET', '/api/metrics/plugins', { signal }),
  ]);
  const rows = plugins.data.map(({ id, kind, source, summary }): Row => {
    const own = costs.data.filter((cost) => cost.id === id && kindOf(cost) === kind);
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
