"""The review desk: a local web page on which a person reads what must be read, and says what is
right.

`run` reads a finished run, `store` the review file and writes it, `reading` says what is to be read
and in which order, `evidence` what the pages say, `compared` how far two reviewers agree; `desk`
joins them. `views` answers requests with `showing` and the templates, `guard` lets the reviewer in
and nobody else, `app` and `serving` serve it all. No rule of scoring is known here: verdicts come
from the run, and what a review makes of them is for `benchmark.scoring.reviews` to say."""
