import { Field } from '../../ui/field.tsx';
import { Select, TextInput } from '../../ui/inputs.tsx';
import { type FeedFields, typeOf, typeText } from './feed.ts';
import { Folded } from './inputs/folded.tsx';
import { useFault } from './inputs/form.ts';
import { Card } from './steps.tsx';

const ENDPOINTS = ['feeds/for-you', 'feeds/trending', 'feeds/popular'] as const;

const VISIBILITIES = [
  { value: 'private', text: 'Private: only this account' },
  { value: 'public', text: 'Public: other accounts may read it' },
  { value: 'template', text: 'Template: offered to other accounts' },
] as const;

/** What a feed is called and who may use it. */
export function Details(props: { feed: FeedFields; onChange: (changes: Partial<FeedFields>) => void }) {
  const { feed, onChange } = props;
  const { name, description, endpoint, visibility, feed_image_url, short_name } = feed;
  const known = ENDPOINTS.find((one) => typeOf(one) === typeOf(endpoint));
  return (
    <Card title="Feed">
      <Field label="Name" error={useFault('/name')}>
        <TextInput value={name} onChange={(next) => onChange({ name: next })} />
      </Field>
      <Field label="Type" error={useFault('/endpoint')}>
        <Select
          value={known ?? ENDPOINTS[0]}
          options={ENDPOINTS.map((value) => ({ value, text: typeText(value) }))}
          onChange={(next) => onChange({ endpoint: next })}
        />
      </Field>
      <Folded
        title="Description, visibility, picture"
        why="To say what the feed is for, or to share it."
        is_set={description !== '' || visibility !== 'private' || Boolean(short_name ?? feed_image_url)}
        paths={['/description', '/visibility', '/short_name', '/feed_image_url']}
      >
        <Field label="Description" error={useFault('/description')}>
          <TextInput value={description} onChange={(next) => onChange({ description: next })} />
        </Field>
        <Field label="Visibility" error={useFault('/visibility')}>
          <Select
            value={visibility}
            options={VISIBILITIES}
            onChange={(next) => onChange({ visibility: next })}
          />
        </Field>
        <Field label="Short name" error={useFault('/short_name')}>
          <TextInput
            value={short_name ?? ''}
            onChange={(next) => onChange({ short_name: next === '' ? null : next })}
          />
        </Field>
        <Field label="Address of a picture" error={useFault('/feed_image_url')}>
          <TextInput
            type="url"
            value={feed_image_url}
            onChange={(next) => onChange({ feed_image_url: next })}
          />
        </Field>
      </Folded>
    </Card>
  );
}
