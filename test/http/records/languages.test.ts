import { expect, test } from 'bun:test';
import { forFile } from '../../support/service.ts';
import { openCommunity } from '../support.ts';

const community = await forFile(openCommunity());

/** Texts without a language, which is detected, and the subtags that find each. */
const DETECTED: [string, string, string[]][] = [
  ['Norwegian', 'Jeg liker å gå turer i fjellet om sommeren når det er varmt og fint', ['no', 'nb', 'nn']],
  ['Filipino', 'Kumusta ka na? Gusto kong kumain ng adobo at kanin mamaya', ['fil', 'tl', 'fil-PH']],
  ['Hebrew', 'שלום לכולם, מה שלומכם היום? אני מקווה שהכל בסדר', ['he', 'iw', 'he-IL']],
  ['Indonesian', 'Saya ingin pergi ke pasar untuk membeli buah dan sayuran besok pagi', ['id', 'ms', 'in']],
  ['Chinese', '我今天想去商店买一些水果和蔬菜，然后回家做饭', ['zh', 'cmn', 'yue', 'zh-Hant']],
  ['Croatian', 'Danas je lijep dan i idem u grad kupiti kruh i mlijeko', ['hr', 'sh']],
];

test.each(DETECTED)(
  'an item with a text in %s matches every subtag of that language',
  async (name, text, subtags) => {
    await community.addItem(name, { text });
    for (const languages of subtags) {
      expect(await community.ids('popular', { filters: { languages: [languages] } })).toEqual([name]);
    }
    expect(await community.ids('popular', { filters: { languages: ['de'] } })).toEqual([]);
    await community.remove('items', name);
  },
);

test('any key may list the languages that are detected', async () => {
  const { status, body } = await community.server.get('/api/languages');
  expect([status, body.data.length]).toEqual([200, 60]);
  expect(body.data).toContainEqual({ language: 'he', name: 'Hebrew', also: ['iw'] });
  expect(body.data).toContainEqual({ language: 'fil', name: 'Filipino', also: ['tl'] });
  expect(body.data).toContainEqual({ language: 'no', name: 'Norwegian', also: ['nb', 'nn'] });
  expect(body.data).toContainEqual({ language: 'ms', name: 'Malay', also: ['id', 'in'] });
  expect(body.data).toContainEqual({ language: 'hr', name: 'Croatian', also: ['sh'] });
  expect(body.data).toContainEqual({ language: 'de', name: 'German', also: [] });
});
