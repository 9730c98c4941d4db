import type { SavedFeed } from '../../../../openapi/client/src/index.ts';
import { api } from '../session.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/inputs.tsx';
import { type Resource, useResource } from '../ui/resource.ts';
import { agoText } from '../ui/time.tsx';
import type { FeedChoice } from './page-of.ts';

/** The feeds that every account has: the names of the feed types. */
const STANDARD = [
  { value: 'for-you', text: 'For you' },
  { value: 'trending', text: 'Trending' },
  { value: 'popular', text: 'Popular' },
] as const;

/** What is chosen before anything is chosen. */
export const FIRST_FEED = STANDARD[0].value;

/** A saved feed, or an older revision of it: `feed_1`, `feed_1@3`. */
const REVISION = /^(.+)@(\d+)$/;

function splitChoice(value: string): { config_id: string; revision?: number } {
  const [, config_id, revision] = REVISION.exec(value) ?? [];
  return config_id === undefined ? { config_id: value } : { config_id, revision: Number(revision) };
}

function isStandard(value: string): boolean {
  return STANDARD.some((one) => one.value === value);
}

async function read(value: string, signal: AbortSignal): Promise<FeedChoice> {
  if (isStandard(value)) return { endpoint: `feeds/${value}`, config: {} };
  const { config_id, revision } = splitChoice(value);
  const query = { config_id };
  if (revision !== undefined) {
    const path = { revision };
    const answer = await api().call('GET', '/api/feed/config/revisions/{revision}', { path, query, signal });
    return { endpoint: answer.data.endpoint, config: answer.data.config };
  }
  const { data } = await api().call('GET', '/api/feed/config', { query, signal });
  const { endpoint, config, status } = data;
  // A feed that is switched off answers nobody, so it is asked for by its content.
  return { endpoint, config, ...(status === 'active' ? { feed_id: config_id } : {}) };
}

/** The feed that a value of `FeedSelect` stands for. */
export function useFeedChoice(value: string): Resource<FeedChoice> {
  return useResource((signal) => read(value, signal), [value]);
}

function useSavedFeeds(): readonly SavedFeed[] {
  const { data } = useResource((signal) => api().call('POST', '/api/feed/configs', { body: {}, signal }), []);
  return data?.data ?? [];
}

/** Chooses a feed type, a saved feed, or with `has_revisions` an older revision. */
export function FeedSelect(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  has_revisions?: boolean;
}) {
  const { label, value, onChange, has_revisions = false } = props;
  const saved = useSavedFeeds();
  const { config_id, revision } = splitChoice(value);
  const is_listed = isStandard(config_id) || saved.some((feed) => feed.config_id === config_id);
  return (
    <div class="feed-select">
      <Field label={label}>
        <Select value={config_id} onChange={onChange}>
          <optgroup label="Feed types">
            {STANDARD.map((one) => (
              <option key={one.value} value={one.value}>
                {one.text}
              </option>
            ))}
          </optgroup>
          <optgroup label="Saved feeds">
            {!is_listed && <option value={config_id}>{config_id}</option>}
            {saved.map((feed) => (
              <option key={feed.config_id} value={feed.config_id}>
                {feed.name} ({feed.config_id})
              </option>
            ))}
          </optgroup>
        </Select>
      </Field>
      {has_revisions && !isStandard(config_id) && (
        <Revisions
          label={`Revision of ${label.toLowerCase()}`}
          config_id={config_id}
          revision={revision}
          onChange={(wanted) => onChange(wanted === undefined ? config_id : `${config_id}@${wanted}`)}
        />
      )}
    </div>
  );
}

function Revisions(props: {
  label: string;
  config_id: string;
  revision: number | undefined;
  onChange: (revision: number | undefined) => void;
}) {
  const { label, config_id, revision, onChange } = props;
  const { data } = useResource(
    (signal) => api().call('GET', '/api/feed/config/revisions', { query: { config_id }, signal }),
    [config_id],
  );
  const [, ...older] = data?.data ?? [];
  if (older.length === 0) return null;
  return (
    <Field label={label}>
      <Select
        value={String(revision ?? '')}
        onChange={(chosen) => onChange(chosen === '' ? undefined : Number(chosen))}
        options={[
          { value: '', text: 'as it is now' },
          ...older.map(({ revision: number, at, key_name }) => ({
            value: String(number),
            text: `${number}, ${agoText(at)}${key_name === undefined ? '' : ` by ${key_name}`}`,
          })),
        ]}
      />
    </Field>
  );
}
