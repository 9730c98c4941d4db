import { useState } from 'preact/hooks';
import { api, may } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { saveAs } from '../../ui/save-as.ts';
import { tell, tellFailure } from '../../ui/toast.tsx';

/** Saved feeds as a file, and the command for everything else. */
export function ExportSection() {
  const [is_busy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await api().listFeeds();
      const lines = data.map((feed) => `${JSON.stringify(feed)}\n`);
      saveAs('application/x-ndjson', 'feeds.jsonl', ...lines);
      tell(data.length === 1 ? 'One feed is saved' : `${data.length} feeds are saved`);
    } catch (error) {
      tellFailure(error);
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="export">
      <h2 id="export">Export</h2>
      {may('config:write') && (
        <>
          <p>The feeds of your account, one a line, as feedloom import reads them.</p>
          <Button icon="data" disabled={is_busy} onClick={() => void download()}>
            Download feeds.jsonl
          </Button>
        </>
      )}
      <p>
        Everything that is stored, written on the machine of the service while it runs. <code>DIR</code> is a
        new folder, and <code>data</code> the data folder of the service:
      </p>
      <CodeBlock label="Command for an export" code="feedloom export DIR --data data" />
    </section>
  );
}
