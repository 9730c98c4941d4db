import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { scrolled } from './layout.tsx';
import { tell, tellFailure } from './toast.tsx';

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
      <pre {...scrolled(label)}>
        <code>{code}</code>
      </pre>
      <Button icon="copy" label={`Copy: ${label}`} onClick={() => void copy()} />
    </div>
  );
}

const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The same program in several languages, one of which is shown. @param label followed by the language */
export function CodeChoice({ label, codes }: { label: string; codes: Readonly<Record<Language, string>> }) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <>
      <fieldset class="choices">
        <legend class="for-readers">Language</legend>
        {LANGUAGES.map((one) => (
          <Button key={one} pressed={one === language} onClick={() => setLanguage(one)}>
            {one}
          </Button>
        ))}
      </fieldset>
      <CodeBlock key={language} label={`${label} ${language}`} code={codes[language]} />
    </>
  );
}

/** Saves a text as a file. A link alone cannot load it, because the key is in a header. @param type media type */
export function saveAs(type: string, name: string, ...parts: readonly string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
