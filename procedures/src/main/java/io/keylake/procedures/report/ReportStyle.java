/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.procedures.report;

/** How a report looks. All rules are below the class {@code keylake}: they change no other page. */
final class ReportStyle {
  static final String CSS =
      """
      .keylake{font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:#1d2733;background:#fff;
      max-width:1040px;margin:0 auto;padding:18px 22px;box-sizing:border-box;text-align:left}
      .keylake *{box-sizing:border-box}
      .keylake h1{font-size:22px;margin:0 0 2px;overflow-wrap:anywhere}
      .keylake h2{font-size:16px;margin:26px 0 8px;padding-bottom:4px;border-bottom:1px solid #e3e8ee}
      .keylake h3{font-size:13px;margin:14px 0 4px;font-weight:600}
      .keylake p{margin:4px 0 8px;color:#52606f}
      .keylake .place{color:#6b7886;font-size:12px;overflow-wrap:anywhere}
      .keylake .tiles{display:flex;flex-wrap:wrap;gap:10px;margin:14px 0 4px}
      .keylake .tile{border:1px solid #e3e8ee;border-radius:8px;padding:8px 14px;min-width:104px;background:#f8fafc}
      .keylake .tile b{display:block;font-size:18px;font-weight:600}
      .keylake .tile span{color:#6b7886;font-size:12px}
      .keylake table{border-collapse:collapse;margin:4px 0 10px;font-size:13px;background:#fff;color:#1d2733}
      .keylake th{font-weight:600;color:#52606f;text-align:left;background:#f3f6f9}
      .keylake th,.keylake td{padding:4px 12px 4px 8px;border:0;border-bottom:1px solid #e9edf2;vertical-align:top;
      text-align:left;overflow-wrap:anywhere;max-width:420px}
      .keylake td.n,.keylake th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
      .keylake code{font:12px/1.4 ui-monospace,Menlo,Consolas,monospace;background:#f3f6f9;color:#1d2733;
      padding:1px 5px;border-radius:4px;overflow-wrap:anywhere}
      .keylake .badge{display:inline-block;font-size:11px;border-radius:9px;padding:0 8px;margin-right:4px;
      background:#dbeafe;color:#1e429f}
      .keylake .badge.part{background:#dcfce7;color:#166534}
      .keylake .hints{border-left:4px solid #d97706;background:#fffbeb;padding:8px 14px;margin:14px 0;border-radius:4px}
      .keylake .hints li{margin:3px 0}.keylake .hints ul{margin:0;padding-left:18px}
      .keylake .fine{border-color:#16a34a;background:#f0fdf4}
      .keylake svg{display:block;width:100%;max-width:980px;height:auto;margin:2px 0 6px}
      .keylake svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#344252}
      .keylake svg .e{text-anchor:end}.keylake svg .small{fill:#6b7886;font-size:10px}
      .keylake svg .v{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}
      .keylake svg .in{fill:#fff;font-weight:600;font-size:10px;pointer-events:none}
      .keylake svg .grid{stroke:#e3e8ee;stroke-width:1}
      .keylake svg .mark{stroke:#b91c1c;stroke-width:1.2;stroke-dasharray:4 3}
      .keylake svg .flag{stroke:#9333ea;stroke-width:1;stroke-dasharray:2 3}.keylake svg .flagname{fill:#7e22ce;font-size:10px}
      .keylake svg .curve{fill:none;stroke:#1d4ed8;stroke-width:1.6}
      .keylake svg .l0{fill:#ea8a1c}.keylake svg .l1{fill:#8b5cf6}.keylake svg .l2{fill:#6366f1}
      .keylake svg .l3{fill:#3b82f6}.keylake svg .l4{fill:#0e8fb3}.keylake svg .l5{fill:#0f766e}
      .keylake svg .smallfile{fill-opacity:.78}
      .keylake svg .deleted{fill:#b91c1c}
      .keylake svg .depth0{fill:#f3f6f9}.keylake svg .depth1{fill:#bbf7d0}.keylake svg .depth2{fill:#fde68a}
      .keylake svg .depth3{fill:#fdba74}.keylake svg .depth4{fill:#f87171}.keylake svg .depth5{fill:#b91c1c}
      .keylake svg .bar{fill:#3b82f6}.keylake svg .good{fill:#22a06b}.keylake svg .bad{fill:#d97706}.keylake svg .worse{fill:#b91c1c}
      .keylake svg .kindappend{fill:#22a06b}.keylake svg .kindcompact{fill:#8b5cf6}
      .keylake svg .kindoverwrite{fill:#d97706}.keylake svg .kindanalyze{fill:#9aa7b4}
      .keylake .key{display:inline-block;width:10px;height:10px;border-radius:2px;margin:0 4px 0 12px;vertical-align:-1px}
      .keylake .key:first-child{margin-left:0}
      .keylake .foot{margin-top:24px;font-size:12px;color:#8793a0}
      .keylake.cell{max-width:860px;margin:0;padding:12px 16px;border:1px solid #e3e8ee;border-radius:8px}
      .keylake.cell h2{font-size:14px;margin:16px 0 6px}.keylake.cell h1{font-size:18px}
      @media print{.keylake{max-width:none}.keylake h2{break-after:avoid}.keylake svg{break-inside:avoid}}
      """;

  /** Colors of what is explained beside a drawing, by name. */
  record Key(String color, String text) {}

  private ReportStyle() {}
}
