/** Outlines on a grid of 24. */
const PATHS = {
  overview: 'M4 20V11M10 20V4M16 20v-6M3 20h18',
  feeds: 'M4 6h16M4 12h10M4 18h7',
  users: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20a8 8 0 0 1 16 0',
  lists: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  items: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  reports: 'M5 21V4h13l-2 4 2 4H5',
  health: 'M3 12h4l3-8 4 16 3-8h4',
  community:
    'M8.5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM3 19a5.5 5.5 0 0 1 11 0M15.5 5.4a3 3 0 0 1 0 5.2M16.5 13.7A5.5 5.5 0 0 1 21 19',
  data: 'M12 4v12m0 0 4-4m-4 4-4-4M4 20h16',
  wallets: 'M4 7h16v12H4zM4 7l3-3h10l3 3M16 13h.01',
  experiments: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 13l4 4L19 7',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  theme: 'M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8Z',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  code: 'M8 6l-6 6 6 6M16 6l6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  up: 'M12 19V5m0 0-6 6m6-6 6 6',
  down: 'M12 5v14m0 0 6-6m-6 6-6-6',
  back: 'M15 5l-7 7 7 7',
  refresh: 'M20 12a8 8 0 1 1-2.3-5.7M20 4v5h-5',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative picture: the text beside it, or the label of its button, says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
