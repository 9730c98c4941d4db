import { useMemo, useState } from 'preact/hooks';
import { nowSeconds } from '../clock.ts';
import { goTo, linkTo } from '../router.ts';
import { ADDRESS, api } from '../session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CodeChoice } from '../ui/code-choice.tsx';
import { useResource } from '../ui/resource.ts';
import { Failure, Loaded } from '../ui/states.tsx';
import { tell } from '../ui/toast.tsx';
import { KEY_PLACEHOLDER, programsFor } from './start/programs.ts';

/** The way to the first feed, for a service without data: the demo, own data by a program, or files. */
export function FirstRunPage(_: { rest: readonly string[] }) {
  const readiness = useResource((signal) => api().call('GET', '/readyz', { signal }), []);
  return (
    <div class="start">
      <div class="head">
        <h1>Get started</h1>
      </div>
      <section aria-labelledby="demo">
        <h2 id="demo">Look around first</h2>
        <Loaded resource={readiness} lines={2}>
          {({ applied_seq }) => (applied_seq === 0 ? <Demo /> : <HasData />)}
        </Loaded>
      </section>
      <SendData />
      <section aria-labelledby="files">
        <h2 id="files">Import files</h2>
        <p>CSV and JSON lines, also exports of other software: you choose which column is what.</p>
        <ButtonLink icon="data" href={linkTo(['data'])}>
          Import files
        </ButtonLink>
      </section>
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
  const [is_busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const load = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const { users, items } = await api().call('POST', '/api/demo');
      tell(`The demo community is there: ${users} users and ${items} posts`);
      goTo(['feeds']);
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <>
      <p>
        The demo community is made up: some hundred people, their posts, follows and likes. It is stored in
        this service. Use another data folder for your own data later.
      </p>
      {error !== undefined && <Failure error={error} />}
      <Button kind="primary" disabled={is_busy} onClick={() => void load()}>
        {is_busy ? 'Loading the demo community' : 'Open the demo community'}
      </Button>
    </>
  );
}

function SendData() {
  const codes = useMemo(() => {
    // Whole seconds, and a minute ago in case this clock is ahead of the service's.
    const now = new Date((Math.floor(nowSeconds()) - 60) * 1000).toISOString().replace('.000', '');
    return programsFor({ address: ADDRESS.replace(/\/$/, ''), now });
  }, []);
  return (
    <section aria-labelledby="send">
      <h2 id="send">Send your data</h2>
      <p>
        Your program sends users, items and interactions as they happen. Put a key with the scopes{' '}
        <code>ingest:write</code> and <code>feed:read</code> in the place of <code>{KEY_PLACEHOLDER}</code>:{' '}
        <code>feedloom keys create --account NAME</code> makes one.
      </p>
      <CodeChoice label="Program for" codes={codes} />
      <p class="help">
        <a href="docs/ingest">All fields of records</a> · <a href="docs/clients">Clients</a>
      </p>
    </section>
  );
}
