import { useMemo } from 'preact/hooks';
import { nowSeconds } from '../clock.ts';
import { goTo, linkTo } from '../router.ts';
import { ADDRESS, api } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CodeChoice } from '../ui/code.tsx';
import { WorkButton } from '../ui/form.tsx';
import { Head, Section } from '../ui/layout.tsx';
import { KEY_VARIABLE, programsOf } from '../ui/programs.ts';
import { useAnswer } from '../ui/resource.ts';
import { Loaded } from '../ui/states.tsx';
import { tell } from '../ui/toast.tsx';

/** The way to the first feed, for a service without data: the demo, own data by a program, or files. */
export function FirstRunPage() {
  const readiness = useAnswer('/readyz', {});
  return (
    <div class="start">
      <Head title="Get started" />
      <Section title="Look around first">
        <Loaded resource={readiness} lines={2}>
          {({ applied_seq }) => (applied_seq === 0 ? <Demo /> : <HasData />)}
        </Loaded>
      </Section>
      <SendData />
      <Section title="Import files">
        <p>CSV and JSON lines, also exports of other software: you choose which column is what.</p>
        <ButtonLink icon="data" href={linkTo(['data'])}>
          Import files
        </ButtonLink>
      </Section>
    </div>
  );
}

function HasData() {
  return (
    <p>
      The service has data already, so the demo community cannot be loaded.{' '}
      <a href={linkTo(['feeds'])}>Feeds</a> shows what can be made of it.
    </p>
  );
}

function Demo() {
  const load = async (): Promise<void> => {
    const { users, items } = await api().call('POST', '/api/demo');
    tell(`The demo community is there: ${users} users and ${items} posts`);
    goTo(['feeds']);
  };
  return (
    <>
      <p>
        The demo community is made up: some hundred people, their posts, follows and likes. It is stored in
        this service. Use another data folder for your own data later.
      </p>
      <WorkButton kind="primary" work={load} busy="Loading the demo community">
        Open the demo community
      </WorkButton>
    </>
  );
}

/** Two users, two items, a like, and a page. @param created_at ISO 8601 */
function firstProgram(created_at: string) {
  const item = { author_id: 'ann', created_at };
  return programsOf({
    address: ADDRESS.replace(/\/$/, ''),
    records: {
      users: [
        { user_id: 'ann', username: 'ann' },
        { user_id: 'bob', username: 'bob' },
      ],
      items: [
        { item_id: 'post-1', ...item, text: 'Hello' },
        { item_id: 'post-2', ...item, text: 'Good night' },
      ],
      interactions: [{ user_id: 'bob', item_id: 'post-1', event_type: 'like' }],
    },
    feed_type: 'for-you',
    request: { user_id: 'bob' },
  });
}

function SendData() {
  const codes = useMemo(() => {
    // Whole seconds, and a minute ago in case this clock is ahead of the service's.
    const now = new Date((Math.floor(nowSeconds()) - 60) * 1000);
    return firstProgram(now.toISOString().replace('.000', ''));
  }, []);
  return (
    <Section title="Send your data">
      <p>
        Your program sends users, items and interactions as they happen. Set the environment variable{' '}
        <code>{KEY_VARIABLE}</code> to a key with the scopes <code>ingest:write</code> and{' '}
        <code>feed:read</code>: <code>feedloom keys create --account NAME</code> makes one.
      </p>
      <CodeChoice label="Program for" codes={codes} />
      <p class="help">
        <a href="docs/ingest">All fields of records</a> · <a href="docs/clients">Clients</a>
      </p>
    </Section>
  );
}
