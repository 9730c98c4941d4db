import { testCandidateSource } from 'feedloom/plugin/testing';
import plugin from './editors-list';

testCandidateSource(plugin, 'acme/editors_list_v1.0.0', {
  cases: [
    {
      name: 'lists the picks that there are, each once',
      items: [{ item_id: 'pick-1' }, { item_id: 'pick-2' }, { item_id: 'other' }],
      proposes: ['pick-2', 'pick-1'],
    },
  ],
});
