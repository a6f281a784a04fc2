import { describe, expect, test } from 'vitest';
import { findMisreading } from '../../../../src/shared/platform/egress/misread-urls.ts';

describe('a url that is read as it is written', () => {
  test.each([
    'https://example.com',
    'HTTPS://Example.COM:443/A/b?c=d&e=%20@x',
    'https://example.com./',
    'https://example.com:/',
    'https://example.com/@owner/hook?to=a@b.example',
    'https://a_b.example.com/',
    'https://bücher.example/käse?q=ä',
    'https://BÜCHER.example/',
    'https://bu\u0308cher.example/',
    'https://xn--bcher-kva.example/',
    'https://例え.テスト/フック',
    'https://straße.example/',
    'https://93.184.216.34:8443/',
    'https://[2606:4700::1111]/',
    'https://[2606:4700:0:0:0:0:0:1111]/',
    'https://example.com/a/../b//c;d=e',
    'https://1and1.example/',
  ])('is %s', (url) => {
    expect(findMisreading(url)).toBeUndefined();
  });
});

describe('a url that is read as another one', () => {
  test.each([
    ['https:\\\\93.184.216.34\\x', 'must not contain a backslash'],
    ['https://93.184.216.34\\@10.0.0.5/', 'must not contain a backslash'],
    ['https://example.com/a\\b', 'must not contain a backslash'],
    ['https:93.184.216.34/', 'must have its host after https://'],
    ['https:example.com/', 'must have its host after https://'],
    ['https:/example.com/', 'must have its host after https://'],
    ['https:///example.com/', 'must have its host after https://'],
    ['https://@example.com/', 'nor an @'],
    ['https://:@example.com/', 'nor an @'],
    ['https://1572395042/', 'must name its host as it is read: 93.184.216.34'],
    ['https://0x5db8d822/', 'must name its host as it is read: 93.184.216.34'],
    ['https://0135.0270.0330.042/', 'must name its host as it is read: 93.184.216.34'],
    ['https://93.12113954/', 'must name its host as it is read: 93.184.216.34'],
    ['https://93.184.216.34./', 'must name its host as it is read: 93.184.216.34'],
    ['https://９３.184.216.34/', 'must name its host as it is read: 93.184.216.34'],
    ['https://93。184。216。34/', 'must name its host as it is read: 93.184.216.34'],
    ['https://ｅxample.com/', 'must name its host as it is read: example.com'],
    ['https://ex%61mple.com/', 'must name its host as it is read: example.com'],
    ['https://example.com/\u202Emoc.live/', 'turn the direction of text'],
    ['https://example.com/\u2066a', 'turn the direction of text'],
    ['https://exam\u00ADple.com/', 'invisible characters'],
    ['https://example.com/a\u200Bb', 'invisible characters'],
    ['https://example.com/a\uFEFF', 'invisible characters'],
    ['https://example.com/a\u3164b', 'invisible characters'],
    ['https://example.com/a\u{E0041}b', 'invisible characters'],
    ['https://example.com/a\u0085b', 'invisible characters'],
    ['https://example.com/a\u00A0b', 'white space'],
    ['https://exam\nple.com/', 'white space'],
    ['https://example.com/a\tb', 'white space'],
    [' https://example.com/', 'white space'],
  ])('is %j', (url, why) => {
    expect(findMisreading(url)).toContain(why);
  });
});
