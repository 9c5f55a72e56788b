/** The tests of these modules, on PostgreSQL. */
import "../../server/acts/code-acts.test.ts";
import "../../server/acts/health-acts.test.ts";
import "../../server/acts/member-acts.test.ts";
import "../../server/acts/note-acts.test.ts";
import "../../server/desk/health.test.ts";
import "../../server/figures/empty-searches.test.ts";
import "../../server/figures/figures.test.ts";
import "../../server/figures/tally.test.ts";
import "../../server/lists/lists.test.ts";
import "../../server/merging/merging.test.ts";
import "../../server/moving/member-files.test.ts";
import "../../server/moving/moving.test.ts";
import "../../server/newsletter/newsletter.test.ts";
import "../../server/operators/operators.test.ts";
import "../../server/personal-data/personal-data.test.ts";
