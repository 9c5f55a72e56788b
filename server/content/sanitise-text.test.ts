import { describe, expect, test } from "vitest";

import { toText } from "./sanitise.ts";

describe("the text of some HTML", () => {
  test.each([
    ["A &amp; B&#8217;s &quot;caf&eacute;&quot;", 'A & B’s "café"'],
    ["5 &lt; 6 &gt; 4", "5 < 6 > 4"],
    ["&amp;lt; &amp;amp;", "&lt; &amp;"],
    ["I <3 sleep", "I <3 sleep"],
    ["a &nbsp; b\n\tc", "a b c"],
    ["  <p> a </p>  ", "a"],
    ["<p>One.</p><p>Two.</p>", "One. Two."],
    ["<h2>Why</h2>Because", "Why Because"],
    ["<ul><li>a</li><li>b</li></ul>", "a b"],
    ["a<br>b<br/>c", "a b c"],
    ["<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>", "a b c"],
    ["<figure>a<figcaption>b</figcaption></figure>c", "a b c"],
    ["<blockquote>a</blockquote><div>b</div><section>c</section>d", "a b c d"],
    ["<DIV>a</DIV><P>b", "a b"],
    ["sl<em>ee</em>p", "sleep"],
    ["H<sub>2</sub>O", "H2O"],
    ["a<script>alert(1)</script><style>p{}</style>b", "ab"],
    ["<!-- hidden -->shown", "shown"],
    ["", ""],
    ["<p> </p>", ""],
    ["<dl><dt>a</dt><dd>b</dd></dl>", "a b"],
    ["<pre>a</pre><pre>b</pre>", "a b"],
    ["a<hr>b", "a b"],
    [
      'a medicine<sup><a href="#text-note-2" id="text-note-ref-2">2</a></sup> to ask about, H<sub>2</sub>O',
      "a medicine to ask about, H2O",
    ],
    ['a<details class="embed"><summary>Play the video from YouTube</summary></details>b', "a b"],
  ])("%j reads %j", (html, text) => expect(toText(html)).toBe(text));
});
