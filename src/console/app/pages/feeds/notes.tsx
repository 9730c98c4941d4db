import type { Fault } from './inputs/form.ts';

/** What the service said about a feed: errors, which are also at their fields, and warnings. */
export function Notes({ faults, warnings }: { faults: readonly Fault[]; warnings: readonly string[] }) {
  return (
    <>
      {faults.length > 0 && (
        <div class="note bad" role="alert">
          <strong>
            {faults.length === 1 ? 'One value is not allowed' : `${faults.length} values are not allowed`}
          </strong>
          <ul>
            {faults.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>
                  {path
                    .replace(/^\/config\//, '/')
                    .slice(1)
                    .replaceAll('/', '.')}
                </code>{' '}
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {warnings.length > 0 && (
        <div class="note warn">
          <strong>Saved. Please check:</strong>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
