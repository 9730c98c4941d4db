import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { readItem, searchItems } from '../../ui/finders.ts';
import { ErrorText, Field, NumberField } from '../../ui/inputs.tsx';
import { storedLine } from '../../ui/post.tsx';
import { useResource } from '../../ui/resource.ts';
import { listOf, objectOf, withKey } from './feed.ts';
import { below, type Edited, useFault } from './inputs/form.ts';
import { Many } from './inputs/many.tsx';

const TEXT_MAX = 90;

/** Items, each at a slot or spread evenly. */
export function PinnedItems({ value, onChange, path }: Pick<Edited, 'value' | 'onChange' | 'path'>) {
  const fault = useFault(path);
  const items = listOf(value).map(objectOf);
  const change = (at: number, next: Record<string, unknown>): void =>
    onChange(items.map((item, index) => (index === at ? next : item)));
  return (
    <div class="stack">
      {items.map((item, at) => (
        // Items have no identity of their own until one is chosen.
        <PinnedItem
          key={`${at}`}
          number={at + 1}
          item={item}
          path={below(path, at)}
          onChange={(next) => change(at, next)}
          onRemove={() => onChange(items.filter((_, index) => index !== at))}
        />
      ))}
      <ErrorText text={fault} />
      <div>
        <Button icon="plus" onClick={() => onChange([...items, { item_id: '', rank: items.length + 1 }])}>
          Pin another post
        </Button>
      </div>
    </div>
  );
}

function PinnedItem(props: {
  number: number;
  item: Record<string, unknown>;
  path: string;
  onChange: (item: Record<string, unknown>) => void;
  onRemove: () => void;
}) {
  const { number, item, path, onChange, onRemove } = props;
  const id = typeof item.item_id === 'string' || typeof item.item_id === 'number' ? String(item.item_id) : '';
  const found = useResource(async (signal) => (id === '' ? undefined : readItem(id, signal)), [id]);
  const text = found.data?.item_id === id ? storedLine(found.data.item) : undefined;
  const row = useRef<HTMLDivElement>(null);
  const is_chosen = useRef(false);
  useLayoutEffect(() => {
    if (!is_chosen.current) return;
    is_chosen.current = false;
    // The field of the item is gone. The slot is next.
    const slot = row.current?.querySelector<HTMLInputElement>('input[type=number]');
    slot?.focus();
    slot?.select();
  }, [id]);
  return (
    <div class="pinned" ref={row}>
      <Field label={`Post ${number}`} error={useFault(path, below(path, 'item_id'))}>
        <Many
          name="items"
          value={id === '' ? [] : [id]}
          max={1}
          placeholder="Id of a post, or its start"
          search={searchItems}
          textOf={() => text?.slice(0, TEXT_MAX) || id}
          onChange={(items) => {
            is_chosen.current = items.length > 0;
            onChange({ ...item, item_id: items.at(-1) ?? '' });
          }}
        />
      </Field>
      <NumberField
        label={`Slot of post ${number}`}
        error={useFault(below(path, 'rank'))}
        min={1}
        step={1}
        placeholder="Any"
        value={typeof item.rank === 'number' ? item.rank : undefined}
        onChange={(rank) => onChange(withKey(item, 'rank', rank))}
      />
      <Button kind="quiet" icon="close" label={`Remove post ${number}`} onClick={onRemove} />
    </div>
  );
}
