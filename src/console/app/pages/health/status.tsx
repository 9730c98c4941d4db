import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Resource, useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';

const WHOLE = new Intl.NumberFormat('en');

type Readiness = AnswerOf<'GET', '/readyz'>;

/** Whether the service is ready, and what it says about itself. */
export function Status({ tick }: { tick: number }) {
  const readiness: Resource<Readiness> = useResource(
    (signal) => api().call('GET', '/readyz', { signal }),
    [tick],
  );
  return (
    <section aria-labelledby="status">
      <h2 id="status">Status</h2>
      <Loaded resource={readiness} lines={2}>
        {({ version, role, applied_seq, lag_seconds, warming, refused_plugins }) => (
          <>
            <p class={readiness.error === undefined ? 'state good' : 'state'}>
              <Icon name={readiness.error === undefined ? 'check' : 'warning'} />
              {readiness.error === undefined
                ? warming
                  ? 'Ready, and still warming up: pages take longer'
                  : 'Ready'
                : 'Last known state'}
            </p>
            <dl class="facts">
              <Fact name="Version">{version}</Fact>
              <Fact name="Role">{role}</Fact>
              <Fact name="Changes applied">{WHOLE.format(applied_seq)}</Fact>
              {lag_seconds > 0 && <Fact name="Behind the leader">{lag_seconds} s</Fact>}
            </dl>
            {refused_plugins.length > 0 && (
              <ul class="refused">
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

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
