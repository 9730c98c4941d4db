import type * as Api from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { Fact } from '../../ui/fact.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';

const WHOLE = new Intl.NumberFormat('en');
/** A node renews its entry more often than that. */
const SILENT_SECONDS = 5;

type Node = Api.AnswerOf<'GET', '/api/nodes'>['data'][number];

/** The nodes that serve the data: which of them leads, and how far each one is behind. */
export function Nodes({ tick }: { tick: number }) {
  const nodes = useResource((signal) => api().call('GET', '/api/nodes', { signal }), [tick]);
  return (
    <section aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <Loaded resource={nodes}>
        {({ data }) =>
          data.length === 1 && data[0].node_id === null ? (
            <p class="help">One process serves these data.</p>
          ) : (
            <ul class="rows">
              {data.map((node) => (
                <li key={node.node_id}>
                  <Row node={node} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Row({ node }: { node: Node }) {
  const { node_id, url, role, release, applied_seq, lag_changes, silent_seconds } = node;
  const name = url ?? node_id;
  const is_silent = silent_seconds > SILENT_SECONDS;
  return (
    <article aria-label={name ?? role}>
      <header>
        <h3>{name}</h3>
        <span class="badge">{role}</span>
        {is_silent && <span class="badge bad">silent for {Math.round(silent_seconds)} s</span>}
      </header>
      <dl class="facts">
        <Fact name="Changes behind">{WHOLE.format(lag_changes)}</Fact>
        <Fact name="Last change">{WHOLE.format(applied_seq)}</Fact>
        <Fact name="Release">{release}</Fact>
      </dl>
    </article>
  );
}
