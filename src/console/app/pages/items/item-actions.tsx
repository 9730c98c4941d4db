import { useState } from 'preact/hooks';
import type { ListedItem } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, may } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Switch } from '../../ui/inputs.tsx';
import { setHidden } from '../../ui/moderation.ts';
import { tell } from '../../ui/toast.tsx';

/** What moderators can do with an item. @param onChange called after a change */
export function ItemActions(props: { listed: ListedItem; onChange: () => void }) {
  const { listed, onChange } = props;
  const { item_id, item } = listed;
  const [is_deleting, setDeleting] = useState(false);
  return (
    <div class="record-actions">
      {may('config:write') && (
        <ButtonLink href={linkTo(['why'], { item: item_id })}>Why on a page?</ButtonLink>
      )}
      <Switch
        text="Hide from all feeds"
        value={item?.hidden === true}
        onChange={(next) => void setHidden('item', item_id, next, onChange)}
      />
      <Button kind="danger" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      {is_deleting && <Deletion item_id={item_id} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function Deletion({ item_id, onClose }: { item_id: string; onClose: () => void }) {
  const remove = async (): Promise<void> => {
    await api().deleteItem(item_id);
    tell('The post is deleted.');
    goTo(['posts']);
  };
  return (
    <Confirm title="Delete this post" action="Delete" onClose={onClose} work={remove}>
      <code>{item_id}</code> leaves every feed at once. This cannot be undone. To keep it for later, hide it
      instead.
    </Confirm>
  );
}
