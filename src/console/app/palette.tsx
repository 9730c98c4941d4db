import { useEffect, useState } from 'preact/hooks';
import { folded } from '../../plugin/folded.ts';
import { goTo } from './router.ts';
import { may } from './session.ts';
import { useFeeds } from './ui/feeds.tsx';
import { FindWindow } from './ui/find-window.tsx';
import { Icon, type IconName } from './ui/icon.tsx';

export interface Command {
  title: string;
  icon: IconName;
  run: () => void;
}

/** Finds pages, feeds and actions by their names. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const can_read = may('config:write');
  const feeds = useFeeds(can_read);
  const is_loading = can_read && feeds.is_loading;
  const of_feeds = (feeds.data ?? []).map(
    ({ config_id, name }): Command => ({ title: name, icon: 'feeds', run: () => goTo(['feeds', config_id]) }),
  );
  const wanted = folded(typed.trim());
  const found = [...commands, ...of_feeds].filter(({ title }) => folded(title).includes(wanted));
  // Enter may come before the feeds are there. It opens the first one that matches then.
  const [is_confirmed, setConfirmed] = useState(false);
  const run = (command: Command | undefined): void => {
    setConfirmed(command === undefined && is_loading);
    if (command === undefined) return;
    onClose();
    command.run();
  };
  useEffect(() => {
    if (is_confirmed && !is_loading) run(found[0]);
  }, [is_confirmed, is_loading]);
  return (
    <FindWindow
      title="Find"
      onClose={onClose}
      label="Page, feed or action"
      value={typed}
      onInput={(text) => {
        setTyped(text);
        setConfirmed(false);
      }}
      found={found}
      onEnter={run}
      status={
        found.length === 0 &&
        !is_loading && (
          <p class="help" role="status">
            No page, feed or action has “{typed.trim()}” in its name. Posts and people have pages of their
            own.
          </p>
        )
      }
      option={(command, attributes) => (
        <div
          role="option"
          tabIndex={-1}
          key={`${command.icon} ${command.title} ${attributes.id}`}
          {...attributes}
          onClick={() => run(command)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') run(command);
          }}
        >
          <Icon name={command.icon} />
          {command.title}
        </div>
      )}
    />
  );
}
