"""Several nodes on one PostgreSQL. Fixtures are those of the black-box tests. Without variables each scenario has some
hundred writes; `make long` sets them, and then the bounds of time count too, which a busy machine would break.

DRG_CLUSTER_SECONDS    how long writers write in each scenario (as many writes as count as 3; 300)
DRG_CLUSTER_AWAY       how long the database is away under load (3; 600)
DRG_CLUSTER_FAILOVERS  how often the primary of a Patroni cluster is lost (0: not tried; 20)
DRG_CLUSTER_FIGURES    a file to which a line of figures is added for each scenario"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import black_box  # noqa: E402

globals().update(black_box.fixtures())
