import { beforeEach, describe, expect, test } from 'bun:test';
import { editAt } from '../support/edit.ts';
import { expectFits, forAll, holdBack, SIZES } from './console.ts';
import { openShared, type Shared } from './people.ts';
import { MISSING } from './support.ts';

const PATH = '/v2/community/users/u-ada/preferences';
const MUSIC = 'https://example.community/channel/music';
/** In the year 2100, which no test waits for, and in 2001. */
const LATER = 4_102_444_800;
const OVER = 1_000_000_000;

describe.skipIf(MISSING !== '')(`the preferences of a viewer in the console${MISSING}`, () => {
  let shared: Shared;
  forAll(async () => {
    shared = await openShared();
    return shared.stage;
  }, /^Failed to load resource/);
  const preferences = () => shared.page.getByRole('region', { name: 'Preferences' });
  const entries = () => preferences().getByRole('listitem').allTextContents();
  const stored = async () => (await shared.ask('GET', PATH)).answer;
  const put = async (body: object) => expect((await shared.ask('PUT', PATH, body)).status).toBe(200);
  /** Shows the page of the viewer with these preferences. */
  const openWith = async (body: object): Promise<void> => {
    await put(body);
    await shared.go('#/viewers/u-ada');
    await preferences().getByRole('button', { name: 'Add' }).waitFor();
  };
  const said = (text: string) => shared.page.getByRole('status').getByText(text).waitFor();
  beforeEach(() => put({}));

  test('are shown with the names of authors and channels, and when they end', async () => {
    await openWith({
      muted: {
        words: ['late night'],
        authors: ['u-ben'],
        channels: [MUSIC],
        labels: [
          { value: 'politics', until: LATER },
          { value: 'sport', until: OVER },
        ],
      },
      more: [{ kind: 'label', value: 'joy' }],
      less: [{ kind: 'author', value: 'u-cleo', until: LATER }],
      personalised: false,
    });
    await preferences().getByRole('link', { name: 'Ben Kiln' }).waitFor();
    await preferences().getByRole('link', { name: '<b>Cleo</b>' }).waitFor();
    expect(
      (await entries()).map((text) => text.replace(/(ends in|ended) \d+ y(ears|r\.?)( ago)?$/, '$1')),
    ).toEqual([
      'Mutedauthor Ben Kiln',
      'Mutedchannel music',
      'Mutedlabel politics ends in',
      'Mutedlabel sport ended',
      'Mutedword late night',
      'More oflabel joy',
      'Less ofauthor <b>Cleo</b> ends in',
    ]);
    await preferences().getByRole('switch', { name: 'Pages use what they did', checked: false }).waitFor();
    await expectFits(shared.page);
  });

  test('get a muted word by keyboard alone, and lose it again by Undo', async () => {
    await openWith({ muted: { authors: ['u-ben'] } });
    const { page } = shared;
    await preferences().getByLabel('Which word').focus();
    await page.keyboard.type('#vinyl');
    await page.keyboard.press('Enter');
    await said('Muted: added #vinyl');
    await preferences().getByText('#vinyl').waitFor();
    expect(await stored()).toMatchObject({ muted: { words: ['#vinyl'], authors: ['u-ben'] } });
    expect(await preferences().getByLabel('Which word').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await said('Muted: removed #vinyl');
    expect(await stored()).toMatchObject({ muted: { words: [], authors: ['u-ben'] } });
  });

  test.each([
    ['author', 'cle', '<b>Cleo</b>', 'u-cleo'],
    ['channel', 'mus', 'music', MUSIC],
    ['label', 'jo', 'joy', 'joy'],
  ])('get more of a found %s for a week', async (kind, typed, name, value) => {
    await openWith({ more: [{ kind: 'word', value: 'jazz' }] });
    const { page } = shared;
    await preferences().getByLabel('List', { exact: true }).selectOption('More of');
    await preferences().getByLabel('Kind').selectOption(kind);
    await preferences().getByLabel('How long').selectOption('for a week');
    await preferences().getByLabel(`Which ${kind}`).fill(typed);
    await page.getByRole('option', { name }).click();
    await preferences().getByRole('button', { name: 'Add' }).click();
    await preferences().getByText('ends in 7 days').waitFor();
    const answer = JSON.stringify(await stored()).replace(/"until":\d{10}/, '"until":0');
    const more = [
      { kind: 'word', value: 'jazz' },
      { kind, value, until: 0 },
    ];
    expect(answer).toContain(JSON.stringify({ more }).slice(1, -1));
  });

  test('keep what was changed elsewhere after the page was loaded, also at several changes at once', async () => {
    await openWith({ muted: { labels: ['politics', 'sport', { value: 'news', until: LATER }] } });
    await shared.ask('PATCH', PATH, { muted: { labels: ['politics', 'sport', 'food'] } });
    const remove = (label: string) =>
      preferences().getByRole('button', { name: `Remove label ${label} from Muted` });
    const sent = await holdBack(shared.page, /users\/preferences/);
    await remove('politics').click();
    await sent.asked;
    await remove('sport').click();
    sent.release();
    await said('Muted: removed politics');
    await said('Muted: removed sport');
    expect(await stored()).toMatchObject({ muted: { labels: ['food'] } });
  });

  test('refuse a word that is none beside its field, which takes the next one', async () => {
    await openWith({});
    await preferences().getByLabel('Which word').fill('*');
    await preferences().getByRole('button', { name: 'Add' }).click();
    await preferences().getByRole('alert').getByText('/muted/words/0').waitFor();
    expect(await stored()).toMatchObject({ muted: { words: [] } });
    await preferences().getByLabel('Which word').fill('jazz');
    await preferences().getByRole('button', { name: 'Add' }).click();
    await preferences().getByRole('listitem').getByText('jazz').waitFor();
    expect(await preferences().getByRole('alert').count()).toBe(0);
  });

  test('switch personal pages off and on', async () => {
    await openWith({ less: [{ kind: 'label', value: 'sport' }] });
    const personal = preferences().getByRole('switch', { name: 'Pages use what they did' });
    await personal.uncheck();
    await said('Pages no longer use what they did.');
    expect(await stored()).toMatchObject({ personalised: false, less: [{ value: 'sport' }] });
    await personal.check();
    await said('Pages use what they did.');
    expect(await stored()).toMatchObject({ personalised: true });
  });

  test.each([
    ['only seen with a key that may not write', ['feed:read', 'config:write'] as const],
    ['not seen with a key that may not read feeds', ['ingest:write'] as const],
  ])('are %s', async (_, scopes) => {
    await put({ muted: { authors: ['u-ben'] } });
    const { running, open } = shared.stage;
    const { store, clock } = running.service;
    const { key } = await store.keys.create('default', [...scopes], editAt(clock.now()));
    const page = await open(`${running.address}/console#code=${running.createConsoleCode(key)}`);
    await page.setViewportSize(SIZES.laptop);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Viewers' }).click();
    await page.getByRole('link', { name: 'Ada Heron' }).click();
    await page.getByRole('heading', { name: 'Ada Heron' }).waitFor();
    const region = page.getByRole('region', { name: 'Preferences' });
    if (scopes.some((scope) => scope === 'ingest:write')) {
      await region.getByText('it does not have the scope feed:read').waitFor();
    } else {
      await region.getByRole('link', { name: 'Ben Kiln' }).waitFor();
      await region.getByRole('switch', { disabled: true }).waitFor();
      await page.getByRole('region', { name: 'What they like' }).waitFor();
      await expectFits(page);
    }
    expect(await region.getByRole('button').count()).toBe(0);
    expect(await region.getByRole('combobox').count()).toBe(0);
    await page.close();
  });
});
