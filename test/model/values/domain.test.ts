import { describe, expect, test } from 'bun:test';
import { domain, domainsOfUrls } from '../../../src/model/values/domain.ts';
import { Dropped, Refusal } from '../../../src/model/values/refusal.ts';
import { domainOfUrl } from '../../../src/plugin/index.ts';

describe('the domain of a URL', () => {
  test.each([
    ['https://Example.COM/a?b#c', 'example.com'],
    ['http://www.example.com', 'www.example.com'],
    ['https://example.com./x', 'example.com'],
    ['https://user:secret@example.com:8443/', 'example.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['http://.example.com/', 'example.com'],
    ['http://127.0.0.1:3000/', '127.0.0.1'],
  ])('of %s is %s', (url, expected) => expect(domainOfUrl(url)).toBe(expected));

  test.each([
    'example.com',
    '/path',
    'ipfs://Qm12',
    'mailto:a@example.com',
    'javascript:alert(1)',
    'https://',
    'http://./',
    'http://example..com/',
    'http://*.example.com/',
    '',
  ])('of %p is unknown', (url) => expect(domainOfUrl(url)).toBeUndefined());

  test('is listed in order of appearance, without duplicates', () => {
    const urls = ['https://b.example/1', 'nonsense', 'https://a.example/', 'https://b.example/2'];
    expect(domainsOfUrls(urls)).toEqual(['b.example', 'a.example']);
  });
});

describe('a given domain', () => {
  test.each([
    ['Example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['.example.com', 'example.com'],
    ['https://News.example.com/a/b', 'news.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['www.example.com:443', 'www.example.com'],
    ['user:secret@example.com', 'example.com'],
  ])('%s becomes %s', (value, expected) => expect(domain(value)).toBe(expected));

  test.each([
    '',
    ' ',
    'a b.com',
    'example.com/path',
    'example.com:99999',
    'example.com:80:80',
    'ftp://example.com',
    '.',
    'example..com',
    '*.example.com',
    'https://',
    'x'.repeat(300),
  ])('%p is dropped', (value) => expect(domain(value)).toBeInstanceOf(Dropped));

  test.each([7, null, {}])('%p is refused', (value) => expect(domain(value)).toBeInstanceOf(Refusal));
});
