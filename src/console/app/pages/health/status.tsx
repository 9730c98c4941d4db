import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { Fact } from '../../ui/fact.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Resource, useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';

const WHOLE = new Intl.NumberFormat('en');

type Readiness = AnswerOf<'GET', '/readyz'>;

/** Whether the service is ready, and its warnings. @param is_brief leaves out what it says about itself */
export function Status({ tick = 0, is_brief = false }: { tick?: number; is_brief?: boolean }) {
  const readiness: Resource<Readiness> = useResource(
    (signal) => api().call('GET', '/readyz', { signal }),
    [tick],
  );
  return (
    <section aria-labelledby="status">
      <h2 id="status">Status</h2>
      <Loaded resource={readiness} lines={2}>
        {({
          status,
          version,
          role,
          applied_seq,
          lag_seconds,
          warming,
          refused_plugins,
          stalled_connectors,
        }) => (
          <>
            <Headline {...{ readiness, status, warming }} />
            {!is_brief && (
              <dl class="facts">
                <Fact name="Version">{version}</Fact>
                <Fact name="Role">{role}</Fact>
                <Fact name="Changes applied">{WHOLE.format(applied_seq)}</Fact>
                {lag_seconds > 0 && <Fact name="Behind the leader">{lag_seconds} s</Fact>}
              </dl>
            )}
            {refused_plugins.length + stalled_connectors.length > 0 && (
              <ul class="refused">
                {stalled_connectors.map((connector) => (
                  <li key={connector}>
                    <Icon name="warning" /> The connector {connector} brings nothing in. It is tried again;
                    its last error is below.
                  </li>
                ))}
                {refused_plugins.map(({ plugin, code }) => (
                  <li key={plugin}>
                    <Icon name="warning" /> {plugin} was not loaded: <code>{code}</code>. The log says why.
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The state in a few words. */
function Headline(props: { readiness: Resource<Readiness>; status: Readiness['status']; warming: boolean }) {
  const { readiness, status, warming } = props;
  const is_current = readiness.error === undefined;
  const is_good = is_current && status === 'ready';
  return (
    <p class={is_good ? 'state good' : 'state warn'}>
      <Icon name={is_good ? 'check' : 'warning'} />
      {is_current ? textFor(status, warming) : 'Last known state'}
    </p>
  );
}

function textFor(status: Readiness['status'], warming: boolean): string {
  if (status === 'degraded') return 'Degraded: feeds are served, but not all new records arrive';
  return warming ? 'Ready, and still warming up: pages take longer' : 'Ready';
}
