import { testSignal } from 'feedloom/plugin/testing';
import plugin from './editors-list';

testSignal(plugin, 'acme/editors_list', {
  items: { 'pick-1': {}, 'pick-2': {}, other: {} },
  cases: [
    {
      name: 'reaches the picks that there are, the first pick first',
      expect: { 'pick-2': 1, 'pick-1': 0.995, other: 0 },
    },
  ],
});
