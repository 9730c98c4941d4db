import { testFilter } from 'feedloom/plugin/testing';
import plugin from './keywords';

const items = [
  { item_id: 'chess', text: 'A game of Chess, played well.' },
  { item_id: 'chessboard', text: 'My new chessboard is here.' },
  { item_id: 'silent' },
];

testFilter(plugin, 'acme/keywords', {
  cases: [
    { name: 'keeps whole words', items, options: { words: ['CHESS'] }, keeps: ['chess'] },
    {
      name: 'drops them',
      items,
      options: { words: ['chess'], mode: 'drop' },
      keeps: ['chessboard', 'silent'],
    },
    {
      name: 'takes signs for what they are',
      items,
      options: { words: ['well.', '(here)'] },
      keeps: ['chess'],
    },
  ],
  refuses: [{}, { words: [] }, { words: ['x'], mode: 'hide' }, { words: [''] }],
});
