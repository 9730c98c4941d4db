import { testCandidateSource } from 'feedloom/plugin/testing';
import plugin from './editors-list';

testCandidateSource(plugin, 'acme/editors_list_v1.0.0', {
  items: { 'pick-1': {}, 'pick-2': {}, other: {} },
  cases: [{ name: 'lists the picks that there are, each once', expect: ['pick-2', 'pick-1'] }],
});
