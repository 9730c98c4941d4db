import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('site', { embed_domains: ['example.com'] })
  .item('blog', { embed_domains: ['blog.example.com', 'other.org'] })
  .item('lookalike', { embed_domains: ['notexample.com', 'example.com.evil.net'] })
  .item('none');

describe('embed_domains', () => {
  test('keeps the items with embeds of a domain or its subdomains', () => {
    expect(kept(scene, 'embed_domains', ['example.com'])).toEqual(['site', 'blog']);
    expect(kept(scene, 'embed_domains', ['blog.example.com'])).toEqual(['blog']);
    expect(kept(scene, 'embed_domains', ['com'])).toEqual(['site', 'blog', 'lookalike']);
    expect(kept(scene, 'embed_domains', ['www.example.com'])).toEqual([]);
  });

  test('treats a full URL as its host, in any case', () => {
    for (const url of [
      'https://EXAMPLE.com/page?x=1',
      'http://example.com:8080',
      'Example.COM',
      '.example.com',
    ]) {
      expect(kept(scene, 'embed_domains', [url])).toEqual(['site', 'blog']);
    }
    expect(kept(scene, 'embed_domains', ['other.org', 'evil.net'])).toEqual(['blog', 'lookalike']);
  });

  test('rejects values other than a list of domains', () =>
    refused('embed_domains', [
      'example.com',
      1,
      {},
      [''],
      [' '],
      ['a b'],
      ['ftp://example.com'],
      [1],
      [null],
      ['a/b'],
      ['*.example.com'],
    ]));
});
