import { Viewer } from './viewers/viewer.tsx';
import { ViewerList } from './viewers/viewer-list.tsx';

export function ViewersPage({ rest: [user_id] }: { rest: readonly string[] }) {
  return user_id === undefined ? <ViewerList /> : <Viewer key={user_id} user_id={user_id} />;
}
