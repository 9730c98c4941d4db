import { expect, test } from 'bun:test';
import TABS from '../../deploy/examples/app/tabs.json';
import { FOLLOWING, FOR_YOU, LATEST } from '../../src/console/app/pages/feeds/starting-configs.ts';
import { blocksOf, document } from './markdown.ts';

/** The three tabs of an app are the same feeds in the console, the documents and the example. */

const FEEDS: Record<string, object> = { 'For you': FOR_YOU, Following: FOLLOWING, Latest: LATEST };

const configsOf = (feeds: readonly { name: string; config: object }[]) =>
  Object.fromEntries(
    feeds.map(({ name, config }) => [name.split(',')[0], config] as const).filter(([name]) => name in FEEDS),
  );

test('the recipes "For you", "Following" and "Latest" are the templates of the console', () => {
  const recipes = blocksOf(document('docs/recipes.md')).filter(({ kind }) => kind === 'json NewFeed');
  expect(configsOf(recipes.map(({ text }) => JSON.parse(text)))).toEqual(FEEDS);
});

test('the first feeds that a newcomer saves are the templates of the console', () => {
  const { text } = document('docs/first-feed.md');
  const [, five] = text.split(/^## 5\..*$/m);
  const saved = [...five.split('\n## ')[0].matchAll(/-d '(\{"name":[^']+)'/g)];
  expect(configsOf(saved.map(([, json]) => JSON.parse(json)))).toEqual(FEEDS);
});

test('the tabs of the example app are the templates of the console', () => {
  expect(configsOf(TABS)).toEqual(FEEDS);
});
