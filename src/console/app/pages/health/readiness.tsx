import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { Icon } from '../../ui/icon.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { whole } from '../../ui/texts.ts';

/** Whether the service is ready, and its warnings. @param is_brief leaves out what it says about itself */
export function Readiness({ tick = 0, is_brief = false }: { tick?: number; is_brief?: boolean }) {
  const readiness = useAnswer('/readyz', {}, tick);
  return (
    <Section title="Status">
      <Loaded resource={readiness} lines={2}>
        {(answer) => (
          <>
            <Headline {...answer} is_current={readiness.error === undefined} />
            {!is_brief && (
              <Facts
                facts={[
                  ['Version', answer.version],
                  ['Role', answer.role],
                  ['Changes applied', whole(answer.applied_seq)],
                  ['Behind the leader', answer.lag_seconds > 0 && `${answer.lag_seconds} s`],
                ]}
              />
            )}
            <Warnings {...answer} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

type Answer = AnswerOf<'GET', '/readyz'>;

/** The state in a few words. */
function Headline({ status, warming, is_current }: Answer & { is_current: boolean }) {
  const is_good = is_current && status === 'ready';
  return (
    <p class={is_good ? 'state good' : 'state warn'}>
      <Icon name={is_good ? 'check' : 'warning'} />
      {is_current ? textFor(status, warming) : 'Last known state'}
    </p>
  );
}

function textFor(status: Answer['status'], warming: boolean): string {
  if (status === 'degraded') return 'Degraded: feeds are served, but not all new records arrive';
  return warming ? 'Ready, and still warming up: pages take longer' : 'Ready';
}

function Warnings({ refused_plugins, stalled_connectors, fallen_back_feeds }: Answer) {
  if (refused_plugins.length + stalled_connectors.length + fallen_back_feeds.length === 0) return null;
  return (
    <ul class="refused">
      {fallen_back_feeds.map((feed_id) => (
        <li key={feed_id}>
          <Icon name="warning" /> The feed{' '}
          <a href={linkTo(['feeds', feed_id], { tab: 'learning' })}>{feed_id}</a> fell back to the default
          order, because its viewers did more with it.
        </li>
      ))}
      {stalled_connectors.map((connector) => (
        <li key={connector}>
          <Icon name="warning" /> The connector {connector} brings nothing in. It is tried again; its last
          error is below.
        </li>
      ))}
      {refused_plugins.map(({ plugin, code }) => (
        <li key={plugin}>
          <Icon name="warning" /> {plugin} was not loaded: <code>{code}</code>. The log says why.
        </li>
      ))}
    </ul>
  );
}
