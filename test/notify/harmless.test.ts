import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmlessForDiscord, harmlessForPrograms, harmlessForTelegram } from '../../src/notify/harmless.ts';

const shown = (text: string): string => text.replaceAll('\u200b', '·');

const hostile = [
  '@everyone **free** [skins](https://evil.example) <@1234> `x`',
  '||gotcha|| ~~no~~ # head > quote _em_ \\@here',
  'evil.example/login and t.me/evil, http://a.b, tg://resolve?domain=evil',
  '/start #tag $CASH me@evil.example',
  'AK-47 | Redline (Field-Tested) at $12.50, 99.5 %',
  'txt.exe\u202egpj\u0007\u001b[31mred\nnew line',
  '龍王。example and evil．example',
];

describe('what a stranger wrote, in a chat [S22]', () => {
  it('formats, mentions and links nothing at Discord', () => {
    expect(hostile.map((text) => shown(harmlessForDiscord(text)))).toMatchInlineSnapshot(`
      [
        "@·everyone \\*\\*free\\*\\* \\[skins\\]\\(https:·//evil.·example\\) \\<@·1234\\> \\\`x\\\`",
        "\\|\\|gotcha\\|\\| \\~\\~no\\~\\~ \\# head \\> quote \\_em\\_ \\\\@·here",
        "evil.·example/login and t.·me/evil, http:·//a.·b, tg:·//resolve?domain=evil",
        "/·start \\#·tag $·CASH me@·evil.·example",
        "AK-47 \\| Redline \\(Field-Tested\\) at $12.50, 99.5 %",
        "txt.·exe\\\\u202egpj\\\\u0007\\\\u001b\\[31mred\\\\u000anew line",
        "龍王。·example and evil．·example",
      ]
    `);
  });

  it('mentions, links and commands nothing at Telegram', () => {
    expect(hostile.map((text) => shown(harmlessForTelegram(text)))).toMatchInlineSnapshot(`
      [
        "@·everyone **free** [skins](https:·//evil.·example) <@·1234> \`x\`",
        "||gotcha|| ~~no~~ # head > quote _em_ \\@·here",
        "evil.·example/login and t.·me/evil, http:·//a.·b, tg:·//resolve?domain=evil",
        "/·start #·tag $·CASH me@·evil.·example",
        "AK-47 | Redline (Field-Tested) at $12.50, 99.5 %",
        "txt.·exe\\u202egpj\\u0007\\u001b[31mred\\u000anew line",
        "龍王。·example and evil．·example",
      ]
    `);
  });

  it('is one line that hides nothing for a program', () => {
    expect(hostile.map(harmlessForPrograms)).toMatchInlineSnapshot(`
      [
        "@everyone **free** [skins](https://evil.example) <@1234> \`x\`",
        "||gotcha|| ~~no~~ # head > quote _em_ \\@here",
        "evil.example/login and t.me/evil, http://a.b, tg://resolve?domain=evil",
        "/start #tag $CASH me@evil.example",
        "AK-47 | Redline (Field-Tested) at $12.50, 99.5 %",
        "txt.exe\\u202egpj\\u0007\\u001b[31mred\\u000anew line",
        "龍王。example and evil．example",
      ]
    `);
  });

  it('never comes out with a sign of Discord that is not escaped, a whole mention or a whole link, whatever it is', () => {
    const signs = fc
      .array(fc.constantFrom(...'@\\*_~`|<>#[]()/:.$ ae1\u202e\n龍'.split('')), { maxLength: 60 })
      .map((each) => each.join(''));
    fc.assert(
      fc.property(signs, (text) => {
        const out = harmlessForDiscord(text);
        expect(out.replace(/\\[^]/g, '')).not.toMatch(/[*_~`|<>#[\]()\\]/);
        for (const line of [out, harmlessForTelegram(text)]) {
          expect(line).not.toMatch(/@[^\u200b]|:\/\/|\w\.[a-z]|[\n\u202e]/);
        }
      }),
    );
  });
});
