import { useState } from 'preact/hooks';
import type { AuditEntry } from '../../../../../openapi/client/src/index.ts';
import { LIMITS } from '../../../../limits.ts';
import { linkTo } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

const STEP = 20;

type Verb = AuditEntry['action'] extends `${string}.${infer V}` ? V : never;

/** The second part of each action, as the verb of a sentence. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
  import: 'imported',
  restore: 'restored',
  revoke: 'revoked',
  stop: 'stopped',
  freeze: 'froze',
  thaw: 'thawed',
  reset: 'reset',
  fall_back: 'took back',
} satisfies Record<Verb, string>;

/** Who changed feeds, experiments and keys of the account, newest first. */
export function AuditLog({ tick }: { tick: number }) {
  const [limit, setLimit] = useState(STEP);
  const entries = useAnswer('/api/audit', { query: { limit } }, tick);
  return (
    <Section title="Changes of feeds, experiments and keys">
      <Loaded resource={entries}>
        {({ data }) => (
          <>
            {data.length === 0 && <Empty title="Nothing has been changed yet" />}
            <ol class="audit">
              {data.map(({ audit_id, at, actor, action, object, revision, count }) => (
                <li key={audit_id}>
                  <span>
                    <code>{actor}</code> <Changed action={action} object={object} />
                    {revision !== undefined && <small> revision {revision}</small>}
                    {count > 1 && <small> {count} times</small>}
                  </span>
                  <small>
                    <Ago at={at} />
                  </small>
                </li>
              ))}
            </ol>
            {data.length === limit && limit < LIMITS.audit_listed_max && (
              <Button onClick={() => setLimit(limit + STEP)}>Show more</Button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The pages of what was changed, by the first part of the action. */
const PAGES: Readonly<Record<string, (object: string) => string>> = {
  feed: (object) => linkTo(['feeds', object]),
  learning: (object) => linkTo(['feeds', object], { tab: 'learning' }),
  experiment: (object) => linkTo(['experiments', object]),
};

/** What was done, such as "changed the feed", with a link to its page. */
function Changed({ action, object }: Pick<AuditEntry, 'action' | 'object'>) {
  const [noun, verb] = action.split('.');
  const address = PAGES[noun]?.(object);
  return (
    <>
      {VERBS[verb]} the {noun === 'learning' ? 'learnt order of' : noun}{' '}
      {address === undefined ? <code>{object}</code> : <a href={address}>{object}</a>}
    </>
  );
}
