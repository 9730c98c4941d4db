import { testVisibilityRule } from 'feedloom/plugin/testing';
import plugin from './mute-list';

testVisibilityRule(plugin, 'acme/mute_v1.0.0', {
  cases: [
    {
      name: 'drops what muted authors post',
      items: [{ item_id: 'a', author_id: 'ann' }, { item_id: 'b', author_id: 'loud' }, { item_id: 'c' }],
      shows: ['a', 'c'],
    },
  ],
  refuses: [{ authors: ['ann'] }],
});
