import { api } from '../session.ts';
import { feedOption, readRevision, type SavedFeed, typeText, useFeeds } from '../ui/feeds.tsx';
import { Field, Select, SelectField } from '../ui/inputs.tsx';
import { type Resource, useAnswer, useResource } from '../ui/resource.ts';
import { agoText } from '../ui/time.tsx';
import type { FeedChoice } from './page-of.ts';

/** The feeds that every account has: the names of the feed types. */
const STANDARD: readonly string[] = ['for-you', 'trending', 'popular'];

/** What is chosen before anything is chosen. */
export const FIRST_FEED = STANDARD[0];

/** A saved feed, or an older revision of it: `feed_1`, `feed_1@3`. */
const REVISION = /^(.+)@(\d+)$/;

function splitChoice(value: string): { config_id: string; revision?: number } {
  const [, config_id, revision] = REVISION.exec(value) ?? [];
  return config_id === undefined ? { config_id: value } : { config_id, revision: Number(revision) };
}

async function read(value: string, signal: AbortSignal): Promise<FeedChoice> {
  if (STANDARD.includes(value)) return { endpoint: `feeds/${value}`, config: {} };
  const { config_id, revision } = splitChoice(value);
  if (revision !== undefined) return choiceOf(await readRevision(config_id, revision, signal));
  const { data } = await api().readFeed(config_id, { signal });
  // A feed that is switched off answers nobody, so it is asked for by its content.
  return { ...choiceOf(data), ...(data.status === 'active' ? { feed_id: config_id } : {}) };
}

function choiceOf({ endpoint, config }: SavedFeed): FeedChoice {
  return { endpoint, config };
}

/** The feed that a value of `FeedSelect` stands for. */
export function useFeedChoice(value: string): Resource<FeedChoice> {
  return useResource((signal) => read(value, signal), [value]);
}

/** Chooses a feed type, a saved feed, or an older revision of it. */
export function FeedSelect(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { label, value, onChange } = props;
  const saved = (useFeeds().data ?? []).map(feedOption);
  const { config_id, revision } = splitChoice(value);
  const is_standard = STANDARD.includes(config_id);
  const is_listed = is_standard || saved.some((feed) => feed.value === config_id);
  const groups = [
    { label: 'Feed types', options: STANDARD.map((type) => ({ value: type, text: typeText(type) })) },
    {
      label: 'Saved feeds',
      options: is_listed ? saved : [{ value: config_id, text: config_id }, ...saved],
    },
  ];
  return (
    <div class="feed-select">
      <Field label={label}>
        <Select value={config_id} onChange={onChange}>
          {groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              {group.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.text}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      {!is_standard && (
        <Revisions
          label={`Revision of ${label.toLowerCase()}`}
          config_id={config_id}
          revision={revision}
          onChange={(wanted) => onChange(wanted === '' ? config_id : `${config_id}@${wanted}`)}
        />
      )}
    </div>
  );
}

function Revisions(props: {
  label: string;
  config_id: string;
  revision: number | undefined;
  onChange: (revision: string) => void;
}) {
  const { label, config_id, revision = '', onChange } = props;
  const { data } = useAnswer('/api/feed/config/revisions', { query: { config_id } });
  const [, ...older] = data?.data ?? [];
  if (older.length === 0) return null;
  return (
    <SelectField
      label={label}
      value={String(revision)}
      onChange={onChange}
      options={[
        { value: '', text: 'as it is now' },
        ...older.map(({ revision: number, at, key_name }) => ({
          value: String(number),
          text: `${number}, ${agoText(at)}${key_name === undefined ? '' : ` by ${key_name}`}`,
        })),
      ]}
    />
  );
}
