import { Item } from './items/item.tsx';
import { ItemList } from './items/item-list.tsx';

export function ItemsPage({ rest: [item_id] }: { rest: readonly string[] }) {
  return item_id === undefined ? <ItemList /> : <Item key={item_id} item_id={item_id} />;
}
