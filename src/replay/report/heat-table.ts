import type { HeatCell, HeatMap } from '../sweep/heat-map.ts';
import { heatOf } from '../sweep/heat-map.ts';
import { Html, html } from './html.ts';

/** How much of a colour the strongest cell takes on: words stay readable on it. */
const INK_MAX = 45;

/** A map whose cells take on colour by how far from nothing they are: gains one, losses another. */
export function heatTable(title: string, map: HeatMap, written: (value: number) => string): Html {
  const heat = heatOf(map);
  const shown = (cell: HeatCell | undefined): Html => {
    if (cell === undefined) return html`<td class="number">–</td>`;
    const look = new Html(` class="number heat" style="--heat:${(heat(cell.value) * INK_MAX).toFixed(0)}%"`);
    return html`<td${look}>${written(cell.value)}</td>`;
  };
  const isMean = map.cells.flat().some((cell) => (cell?.of ?? 0) > 1);
  return html`<figure>
    <figcaption>
      ${title}: ${map.down} (down) by ${map.across} (across)${isMean ? '; means of those that are alike in both' : ''}
    </figcaption>
    <div class="wide" tabindex="0">
      <table class="map">
        <thead>
          <tr>
            <td></td>
            ${map.columns.map((label) => html`<th class="number" scope="col">${label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${map.cells.map(
            (row, index) =>
              html`<tr>
                <th scope="row">${map.rows[index] ?? ''}</th>
                ${row.map(shown)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </figure>`;
}
