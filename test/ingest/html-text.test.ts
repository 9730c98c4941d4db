import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readHtml } from '../../src/ingest/html-text.ts';
import { check } from '../support/long.ts';

describe('the text of HTML', () => {
  test.each([
    ['has no markup', '<p>Hello <b>big</b> <i>world</i></p>', 'Hello big world'],
    ['has its entities decoded', 'a &amp; b &lt;c&gt; &#128512; &eacute;', 'a & b <c> 😀 é'],
    ['has one blank for many', ' a\n\t b  <b> c </b> d ', 'a b c d'],
    ['has a line for each block', '<p>a</p><p>b<br>c</p><ul><li>d<li>e</ul>f', 'a\nb\nc\nd\ne\nf'],
    ['does not tear words that are partly marked up', '<b>H</b>ello', 'Hello'],
    ['is without scripts', 'a<script>alert("<p>x</p>")</script>b', 'ab'],
    ['is without styles', '<style>p { color: red }</style>a', 'a'],
    ['is without comments', 'a<!-- b --><![CDATA[ c ]]>d', 'ad'],
    ['is without templates, one within another', 'a<template>b<template>c</template>d</template>e', 'ae'],
    ['is without what stands in frames', 'a<iframe>b</iframe>c', 'ac'],
    ['is without attributes', '<img alt="a > b" title=\'c\'>d', 'd'],
    ['ends where a script is not closed', 'a<script>b', 'a'],
    ['may be broken', '<p>a<b>c</p></i></div>d <x y', 'ac\nd'],
    ['keeps what only looks like markup', 'a < b & c', 'a < b & c'],
    ['has no half characters', '&#55357;&#xD83D;', '\ufffd\ufffd'],
    ['may be nothing', '<p></p>', ''],
  ])('%s', (_, html, text) => expect(readHtml(html).text).toBe(text));

  test('equals the plain text that was escaped', () => {
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    check(100, [fc.array(fc.string({ minLength: 1 }).filter((word) => !/\s|\r|\0/.test(word)))], (words) => {
      const text = words.join(' ').toWellFormed();
      expect(readHtml(escaped(text)).text).toBe(text);
    });
  });
});

describe('the links of HTML', () => {
  test.each<[string, string, string[]]>([
    ['include anchors', '<a href="https://a.example/?x=1&amp;y=2">a</a>', ['https://a.example/?x=1&y=2']],
    [
      'include embeds',
      '<img src=https://a.example/i.png><iframe src="http://b.example/"></iframe><video><source src="https://c.example/v"></video>',
      ['https://a.example/i.png', 'http://b.example/', 'https://c.example/v'],
    ],
    ['may leave the scheme out', '<img src="//cdn.example/i.png">', ['https://cdn.example/i.png']],
    [
      'are listed without duplicates',
      '<a href="https://a.example/">a</a><a href="https://a.example/">b</a>',
      ['https://a.example/'],
    ],
    ['have no blanks around', '<a href=" https://a.example/ ">a</a>', ['https://a.example/']],
    ['are no links within the same site', '<a href="/x">a</a><a href="#b">b</a><img src="i.png">', []],
    ['exclude other schemes', '<a href="javascript:alert(1)">a</a><a href="mailto:a@b.example">b</a>', []],
    ['are not those of stylesheets', '<link rel="stylesheet" href="https://a.example/s.css">', []],
    ['are not those of scripts', '<script src="https://a.example/s.js"></script>', []],
    ['are not those of mentions', '<a href="https://m.example/@u" class="u-url mention">@u</a>', []],
    ['are not those of hashtags', '<a class="mention hashtag" href="https://m.example/tags/x">#x</a>', []],
    ['are not those of emoji', '<img class="emoji" src="https://a.example/smile.png">', []],
  ])('%s', (_, html, links) => expect(readHtml(html).links).toEqual(links));

  test('are limited to the length of a list', () => {
    const html = Array.from({ length: 1005 }, (_, at) => `<a href="https://a.example/${at}">x</a>`).join('');
    expect(readHtml(html).links).toHaveLength(1000);
  });
});

test('HTML with the deepest nesting is read', () => {
  const deep = '<div>'.repeat(10_000) + '</p>'.repeat(10_000) + '<template>'.repeat(1_000);
  expect(readHtml(`a${deep}`)).toEqual({ text: 'a', links: [] });
});
