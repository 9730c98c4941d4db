import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sum, whole } from '../../ui/texts.ts';
import type { ImportRun, Note, Progress } from './import-run.ts';
import { LeftOutFiles } from './left-out-files.tsx';

/** How far an import or a check is, and what was wrong. */
export function ImportProgress({ run, onClose }: { run: ImportRun; onClose: () => void }) {
  const progress = run.progress.value;
  const { state, reason, files } = progress;
  const total = sum(files.map(({ bytes }) => bytes));
  const read = sum(files.map(({ read_bytes }) => read_bytes));
  const is_over = state === 'done' || state === 'cancelled';
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that started it is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="import-progress" aria-labelledby="progress">
      <h2 id="progress" ref={heading} tabIndex={-1} aria-live="polite">
        {titleOf(run.is_check, progress)}
      </h2>
      <progress aria-labelledby="progress" max={Math.max(1, total)} value={state === 'done' ? total : read} />
      {reason !== undefined && <Failure error={reason} />}
      <Table
        rows={files}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'File',
            cell: ({ name, failure }) => (
              <>
                {name}
                {failure !== undefined && <p class="fault">{failure}</p>}
              </>
            ),
          },
          {
            title: run.is_check ? 'Good lines' : 'Stored',
            kind: 'number',
            cell: ({ accepted }) => whole(accepted),
          },
          { title: 'Bad lines', kind: 'number', cell: ({ rejected }) => whole(rejected) },
          { title: 'Left out', kind: 'number', cell: ({ skipped }) => whole(skipped) },
        ]}
      />
      <LeftOutFiles files={run.left_out} />
      <div class="actions">
        {state === 'running' && <Button onClick={() => run.pause()}>Pause</Button>}
        {state === 'paused' && (
          <Button kind="primary" onClick={() => run.resume()}>
            {reason === undefined ? 'Continue' : 'Try again'}
          </Button>
        )}
        {is_over ? (
          <Button onClick={onClose}>Back to the files</Button>
        ) : (
          <Button onClick={() => run.cancel()}>Cancel</Button>
        )}
      </div>
      <Notes title="Bad lines" column="What is wrong" notes={progress.faults} is_counted />
      <Notes
        title="Warnings"
        column="What was noticed"
        help={`These lines ${run.is_check ? 'would be' : 'were'} taken.`}
        notes={progress.warnings}
      />
    </section>
  );
}

function titleOf(is_check: boolean, { state, files }: Progress): string {
  const rejected = sum(files.map((file) => file.rejected));
  const has_failed = files.some(({ failure }) => failure !== undefined);
  if (state === 'running') return is_check ? 'Checking' : 'Importing';
  if (state === 'paused') return 'Paused';
  if (state === 'cancelled') return is_check ? 'Check cancelled' : 'Cancelled. What was stored stays';
  if (has_failed) return 'Some files could not be read';
  const bad = rejected === 1 ? 'one bad line' : `${whole(rejected)} bad lines`;
  const outcome = rejected === 0 ? '' : `, with ${bad}`;
  return `${is_check ? 'Checked; nothing was stored' : 'Imported'}${outcome}`;
}

function Notes(props: {
  title: string;
  column: string;
  help?: string;
  notes: readonly Note[];
  is_counted?: true;
}) {
  const { title, column, help, notes, is_counted } = props;
  const id = useId();
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {help && <p class="help">{help}</p>}
      <Table
        rows={notes}
        columns={[
          { title: 'File', cell: ({ file }) => file },
          ...(is_counted
            ? [{ title: 'Lines', kind: 'number' as const, cell: ({ count }: Note) => whole(count) }]
            : []),
          {
            title: 'First line',
            kind: 'number',
            cell: ({ line }) => (line === undefined ? '–' : whole(line)),
          },
          { title: column, cell: ({ detail }) => detail },
        ]}
      />
    </section>
  );
}
