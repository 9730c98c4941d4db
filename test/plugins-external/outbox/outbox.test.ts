import { testConnector } from 'feedloom/plugin/testing';
import plugin from './outbox';

const ANN = 'https://social.example/users/ann';
const note = (number: number, fields: object = {}) => ({
  id: `${ANN}/statuses/${number}/activity`,
  type: 'Create',
  actor: ANN,
  published: `2026-01-01T00:00:0${number}Z`,
  object: {
    id: `${ANN}/statuses/${number}`,
    type: 'Note',
    attributedTo: ANN,
    content: `<p>${number}</p>`,
    ...fields,
  },
});
const announce = {
  id: `${ANN}/statuses/3/activity`,
  type: 'Announce',
  actor: ANN,
  published: '2026-01-01T00:00:03Z',
  object: 'https://other.example/notes/9',
};

/** An outbox of two pages, the latest activity first. */
function open() {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, { url }) {
      const page = new URL(request.url).searchParams.get('page');
      if (page === null) return Response.json({ type: 'OrderedCollection', first: `${url}?page=1` });
      const broken = { type: 'Create', object: {} };
      const pages: Record<string, object> = {
        '1': { orderedItems: [announce, { type: 'Like' }, broken], next: `${url}?page=2` },
        '2': { orderedItems: [note(2, { inReplyTo: `${ANN}/statuses/1` }), note(1)] },
      };
      return Response.json({ type: 'OrderedCollectionPage', ...pages[page] });
    },
  });
  return { options: { url: String(server.url) }, close: () => server.stop(true) };
}

const item = (number: number, fields: object = {}) => ({
  kind: 'item' as const,
  record: {
    item_id: `${ANN}/statuses/${number}`,
    author_id: ANN,
    created_at: 1_767_225_600 + number,
    text: `<p>${number}</p>`,
    text_format: 'html',
    ...fields,
  },
});

testConnector(plugin, 'acme/outbox_v1.0.0', {
  cases: [
    {
      name: 'reads notes and shares, the oldest first, and skips the rest',
      open,
      expect: [
        item(1),
        item(2, { parent_item_id: `${ANN}/statuses/1` }),
        {
          kind: 'interaction',
          record: {
            user_id: ANN,
            item_id: 'https://other.example/notes/9',
            event_type: 'share',
            timestamp: 1_767_225_603,
            event_id: announce.id,
          },
        },
      ],
      warns: ["it needs 'id', 'actor' and 'published'"],
    },
  ],
  refuses: [{ url: 'ftp://social.example' }, { url: 'https://social.example', every_seconds: 0 }],
});
