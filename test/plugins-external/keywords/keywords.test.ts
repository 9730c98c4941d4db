import { testFilter } from 'feedloom/plugin/testing';
import plugin from './keywords';

testFilter(plugin, 'acme/keywords', {
  items: {
    chess: { text: 'A game of Chess, played well.' },
    chessboard: { text: 'My new chessboard is here.' },
    silent: {},
  },
  cases: [
    { name: 'keeps whole words', options: { words: ['CHESS'] }, expect: ['chess'] },
    { name: 'drops them', options: { words: ['chess'], mode: 'drop' }, expect: ['chessboard', 'silent'] },
    { name: 'takes signs for what they are', options: { words: ['well.', '(here)'] }, expect: ['chess'] },
  ],
  refuses: [{}, { words: [] }, { words: ['x'], mode: 'hide' }, { words: [''] }],
});
