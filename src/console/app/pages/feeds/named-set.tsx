import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/inputs.tsx';
import { LookUp } from '../../ui/look-up.tsx';
import type { Choice } from '../../ui/look-up-state.ts';
import { objectOf, withKey } from './feed.ts';
import { below, useFault, useForm } from './inputs/form.ts';
import { SchemaField } from './inputs/schema-field.tsx';
import { initialOf, type Schema, summaryOf, titleOf } from './schemas.ts';

/** Words that people look for, beside those of the name and the summary. */
const WORDS: Readonly<Record<string, string>> = {
  ai_labels: 'topics music sports food gaming mood sentiment subjects',
  remove_ai_labels: 'no spam nsfw violence exclude topics subjects',
  labeled: 'labeler moderation service bluesky',
  remove_labeled: 'labeler moderation service bluesky exclude',
  languages: 'english german spanish french',
  words: 'hashtags tags keywords phrases text search',
  remove_words: 'hashtags tags keywords phrases text mute exclude',
  start_timestamp: 'last hour day week month days ago newer recent age',
  end_timestamp: 'older age days ago',
  publication_types: 'videos images pictures text links',
  channels: 'communities groups rooms',
  author_ids: 'users people accounts following',
  remove_author_ids: 'users people accounts block exclude',
  engagement: 'likes comments shares popular',
  replies: 'answers comments threads',
  geo_locations: 'near places cities countries',
  remove_geo_locations: 'near places cities countries exclude',
  embed_domains: 'links sites websites',
};

/** Filters, or rules of visibility: each is added from a list, and has the options of its plugin. */
export function NamedSet(props: {
  kind: 'filters' | 'visibility_rules';
  /** What one is called, such as `filter`. */
  noun: string;
  schema: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
  path: string;
}) {
  const { kind, noun, schema, value, onChange, path } = props;
  const { forms } = useForm();
  const known = schema.properties ?? {};
  const set = objectOf(value);
  const names = Object.keys(set);
  const added = useRef(false);
  const list = useRef<HTMLDivElement>(null);
  const fault = useFault(path);
  useLayoutEffect(() => {
    if (!added.current) return;
    added.current = false;
    // What was added is filled in next. It has the focus before the next key.
    list.current?.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [names.length]);
  const addable = Object.keys(known)
    .filter((name) => !names.includes(name))
    .map((name) => choiceOf(name, summaryOf(forms, kind, name)));
  const change = (next: Record<string, unknown>): void =>
    onChange(Object.keys(next).length === 0 ? undefined : next);
  return (
    <div class="stack">
      <div class="set" ref={list}>
        {names.map((name) => (
          <div class="entry" key={name}>
            <SchemaField
              name={name}
              schema={known[name] ?? {}}
              help={summaryOf(forms, kind, name) || `The ${noun} is not loaded.`}
              value={set[name]}
              onChange={(next) => change({ ...set, [name]: next ?? initialOf(known[name] ?? {}) })}
              path={below(path, name)}
              required
            />
            <Button
              kind="quiet"
              icon="close"
              label={`Remove the ${noun} ${titleOf(name)}`}
              onClick={() => change(withKey(set, name, undefined))}
            />
          </div>
        ))}
      </div>
      <ErrorText text={fault} />
      <LookUp
        label={`Add a ${noun}`}
        placeholder={`Add a ${noun}`}
        search={(typed) => matching(addable, typed.toLowerCase())}
        onChoose={(name) => {
          added.current = true;
          change({ ...set, [name]: initialOf(known[name] ?? {}) });
        }}
      />
    </div>
  );
}

/** Those whose name begins with what is typed are first. */
function matching(choices: readonly ReturnType<typeof choiceOf>[], typed: string) {
  const found = choices.filter(({ row }) => row.includes(typed));
  const is_first = ({ text = '' }: Choice): boolean => text.toLowerCase().startsWith(typed);
  return [...found.filter(is_first), ...found.filter((choice) => !is_first(choice))];
}

/** @returns also all texts in which people search */
function choiceOf(name: string, note: string): Choice & { row: string } {
  const text = titleOf(name);
  return { value: name, text, note, row: `${name} ${text} ${note} ${WORDS[name] ?? ''}`.toLowerCase() };
}
