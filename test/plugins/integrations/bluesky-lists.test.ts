import { TEST_NOW, testConnector } from 'feedloom/plugin/testing';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { Events, Jetstream } from '../../support/jetstream.ts';
import { builtIn } from '../built-in.ts';

const [LIST, ITEM] = ['app.bsky.graph.list', 'app.bsky.graph.listitem'];
const [ANN, BEN, CAT] = ['did:plc:ann', 'did:plc:ben', 'did:plc:cat'];
const BEGIN = TEST_NOW - 1000;
const at = (events: number): number => BEGIN + events;
const uri = (did: string, rkey: string) => `at://${did}/${LIST}/${rkey}`;
const entry = (list: string, subject: string) => ({ list, subject });

const events = new Events(BEGIN)
  .identity(ANN, 'handle.invalid')
  .create(ANN, LIST, 'l1', { name: 'Jazz', purpose: 'app.bsky.graph.defs#curatelist' })
  .create(ANN, LIST, 'l2', { name: 'Not read' })
  .create(BEN, LIST, 'b1', { name: 'All of them are read' })
  .create(CAT, LIST, 'c1', { name: 'Not read' })
  .create(ANN, ITEM, 'i1', entry(uri(ANN, 'l1'), CAT))
  .create(ANN, ITEM, 'i2', entry(uri(ANN, 'l2'), CAT))
  .create(CAT, ITEM, 'i3', entry(uri(ANN, 'l1'), CAT))
  .create(ANN, ITEM, 'i4', entry(uri(ANN, 'l1'), 'no DID'))
  .commit(ANN, 'update', ITEM, 'i1', entry(uri(ANN, 'l1'), BEN))
  .commit(ANN, 'update', LIST, 'l1', { name: 'Bebop' })
  .delete(ANN, ITEM, 'i1')
  .delete(CAT, ITEM, 'i3')
  .commit(ANN, 'update', ITEM, 'i5', entry(uri(ANN, 'l2'), BEN))
  .delete(ANN, LIST, 'l1')
  .delete(ANN, LIST, 'l2');

const list = (user_id: string, rkey: string, fields: object): ConnectorRecord => ({
  kind: 'user_list',
  record: { user_id, list_id: uri(user_id, rkey), ...fields },
});
const member = (rkey: string, fields: object): ConnectorRecord => ({
  kind: 'list_member',
  record: { user_id: ANN, event_id: `${ITEM}/${rkey}`, ...fields },
});

testConnector(builtIn, 'bluesky', {
  cases: [
    {
      name: 'reads the named lists and those of named accounts, with their members, and no others',
      open: () => {
        const server = new Jetstream(events.frames);
        const lists = [uri(ANN, 'l1'), BEN];
        return {
          options: { url: server.url, back_hours: 1, lists },
          close: () => server[Symbol.asyncDispose](),
        };
      },
      expect: [
        list(ANN, 'l1', { timestamp: at(2), name: 'Jazz' }),
        list(BEN, 'b1', { timestamp: at(4), name: 'All of them are read' }),
        member('i1', { timestamp: at(6), list_id: uri(ANN, 'l1'), target_user_id: CAT }),
        member('i1', { timestamp: at(10), list_id: uri(ANN, 'l1'), target_user_id: BEN }),
        list(ANN, 'l1', { timestamp: at(11), name: 'Bebop' }),
        member('i1', { timestamp: at(12), action: 'remove' }),
        member('i5', { timestamp: at(14), action: 'remove' }),
        list(ANN, 'l1', { timestamp: at(15), action: 'remove' }),
      ],
    },
  ],
});
