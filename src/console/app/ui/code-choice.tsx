import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
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
