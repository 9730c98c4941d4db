import { Button } from './button.tsx';
import { tell, tellFailure } from './toast.tsx';

/** The keyboard scrolls what has the focus. */
const SCROLLED = { role: 'region', tabIndex: 0 } as const;

/** A text to copy, such as a command. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code);
      tell('Copied');
    } catch {
      // Browsers refuse it for pages that are not served over HTTPS.
      tellFailure(new Error('The browser does not let this page copy. Select the text and copy it.'));
    }
  };
  return (
    <div class="code-block">
      <pre {...SCROLLED} {...{ 'aria-label': label }}>
        <code>{code}</code>
      </pre>
      <Button icon="copy" label={`Copy: ${label}`} onClick={() => void copy()} />
    </div>
  );
}
