import { ListOfUsers } from './lists/list.tsx';
import { ListOfLists } from './lists/list-list.tsx';

/** Lists of users, which filters on authors name. */
export function ListsPage({ rest: [list_id] }: { rest: readonly string[] }) {
  return list_id === undefined ? <ListOfLists /> : <ListOfUsers key={list_id} list_id={list_id} />;
}
