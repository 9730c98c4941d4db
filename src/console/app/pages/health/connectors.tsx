import type * as Api from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Fact } from '../../ui/fact.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

const WHOLE = new Intl.NumberFormat('en');
const RATE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

type Connector = Api.AnswerOf<'GET', '/api/connectors'>['data'][number];

/** The connectors that bring records in: which of them have a problem, and how far each has come. */
export function Connectors({ tick }: { tick: number }) {
  const connectors = useResource((signal) => api().call('GET', '/api/connectors', { signal }), [tick]);
  return (
    <section aria-labelledby="connectors">
      <h2 id="connectors">Connectors</h2>
      <Loaded resource={connectors}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="help">
              No connector is set up. Records come in by the API, or by files on the{' '}
              <a href={linkTo(['data'])}>data page</a>.
            </p>
          ) : (
            <ul class="rows">
              {data.map((connector) => (
                <li key={connector.connector}>
                  <Row connector={connector} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Row({ connector: one }: { connector: Connector }) {
  const { connector, state, last_error, last_error_at, last_stored_at } = one;
  return (
    <article aria-label={connector}>
      <header>
        <h3>{connector}</h3>
        <span class={state === 'stalled' ? 'badge bad' : 'badge'}>{state}</span>
      </header>
      <dl class="facts">
        <Fact name="Records a second">{RATE.format(one.records_per_second)}</Fact>
        <Fact name="Last stored">{last_stored_at === null ? 'never' : <Ago at={last_stored_at} />}</Fact>
        <Fact name="Records">{WHOLE.format(one.records_count)}</Fact>
        <Fact name="Rejected">{WHOLE.format(one.rejected_count)}</Fact>
        <Fact name="Retries">{WHOLE.format(one.restarts_count)}</Fact>
      </dl>
      {last_error !== null && (
        <p class={state === 'stalled' ? 'error' : 'help'}>
          Last error{last_error_at !== null && [', ', <Ago key="at" at={last_error_at} />]}: {last_error}
        </p>
      )}
    </article>
  );
}
