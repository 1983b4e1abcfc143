import { describe, expect, it } from 'vitest';
import { barChart, lineChart } from '../../../src/replay/report/charts.ts';
import { html } from '../../../src/replay/report/html.ts';

const hostile = '<img src=x onerror="alert(1)">\' & </script>\u202e';

describe('what is put into a page', () => {
  it('shows as the words that it is, in text and in attributes', () => {
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toMatchInlineSnapshot(
      `"<p title="&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39; &amp; &lt;/script&gt;\\u202e">&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39; &amp; &lt;/script&gt;\\u202e</p>"`,
    );
  });

  it('stays what it is where it was made here', () => {
    const items = [html`<i>${1}</i>`, html`<i>${'<'}</i>`];
    expect(html`<b>${items}</b>`.text).toBe('<b><i>1</i><i>&lt;</i></b>');
  });

  it('does nothing in charts either', () => {
    const axis = { from: hostile, to: hostile, written: () => hostile };
    const charts = [
      barChart(hostile, [{ label: hostile, value: -1, words: hostile }]),
      lineChart(hostile, [{ name: hostile, look: 'main', values: [1, -2, 3] }], axis),
    ];
    for (const { text } of charts) expect(text).not.toMatch(/<img|<\/script|\u202e/);
  });
});

describe('a chart of lines', () => {
  it('goes from the least to the most, with nothing in between', () => {
    const { text } = lineChart('A', [{ name: 'a', look: 'main', values: [-10, 0, 10] }], { from: 'x', to: 'y', written: String });
    expect(text).toContain('points="72.0,198.0 352.0,104.0 632.0,10.0"');
  });

  it('of nothing is flat', () => {
    const { text } = lineChart('A', [{ name: 'a', look: 'main', values: [0, 0] }], { from: 'x', to: 'y', written: String });
    expect(text).not.toContain('NaN');
  });
});
