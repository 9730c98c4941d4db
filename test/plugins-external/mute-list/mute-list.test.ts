import { testVisibilityRule } from 'feedloom/plugin/testing';
import plugin from './mute-list';

testVisibilityRule(plugin, 'acme/mute_v1.0.0', {
  items: { kind: { author_id: 'ann' }, shouted: { author_id: 'loud' }, anonymous: {} },
  cases: [{ name: 'drops what muted authors post', expect: ['kind', 'anonymous'] }],
  refuses: [{ authors: ['ann'] }],
});
