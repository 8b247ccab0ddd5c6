//! Layers by network simplex, few crossings, short bends: the crate `dagre`
//! (see `docs/decisions/drawing.md`).

use super::{Direction, DrawingPoint, Layout, Link, Placement, Route, Size};
use crate::graph::DrawError;
use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir};

/// Layers, as dagre makes them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dagre;

impl Layout for Dagre {
    fn place(
        &self,
        boxes: &[Size],
        links: &[Link],
        direction: Direction,
    ) -> Result<Placement, DrawError> {
        let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::with_options(GraphOptions {
            directed: true,
            // Turning a link around to break a cycle may put it beside another one.
            multigraph: true,
            compound: false,
        });
        for (index, size) in boxes.iter().enumerate() {
            let label = NodeLabel {
                width: size.width,
                height: size.height,
                ..NodeLabel::default()
            };
            graph.set_node(index.to_string(), Some(label));
        }
        for link in links {
            let label = EdgeLabel {
                width: link.label.width,
                height: link.label.height,
                // Other positions shift the label after room was made for it, into its neighbours.
                labelpos: LabelPos::Center,
                ..EdgeLabel::default()
            };
            graph.set_edge(
                link.from.to_string(),
                link.to.to_string(),
                Some(label),
                None,
            );
        }
        let options = LayoutOptions {
            rankdir: match direction {
                Direction::Right => RankDir::LR,
                Direction::Down => RankDir::TB,
            },
            nodesep: 22.0,
            edgesep: 12.0,
            ranksep: 28.0,
            marginx: 12.0,
            marginy: 12.0,
            ..LayoutOptions::default()
        };
        dagre::layout(&mut graph, Some(options));
        let centres: Option<Vec<DrawingPoint>> = (0..boxes.len())
            .map(|index| {
                let label = graph.node(&index.to_string())?;
                finite(label.x?, label.y?)
            })
            .collect();
        let routes: Option<Vec<Route>> = links
            .iter()
            .map(|link| {
                let label = graph.edge(&link.from.to_string(), &link.to.to_string(), None)?;
                let points: Option<Vec<DrawingPoint>> =
                    label.points.iter().map(|p| finite(p.x, p.y)).collect();
                Some(Route {
                    points: points?,
                    label: finite(label.x?, label.y?)?,
                })
            })
            .collect();
        let (boxes, routes) = centres.zip(routes).ok_or(DrawError::NoPlace)?;
        let graph_label = graph.graph_label::<dagre::GraphLabel>();
        let size = graph_label.ok_or(DrawError::NoPlace)?;
        Ok(Placement {
            size: Size {
                width: size.width,
                height: size.height,
            },
            boxes,
            routes,
        })
    }
}

fn finite(x: f64, y: f64) -> Option<DrawingPoint> {
    (x.is_finite() && y.is_finite()).then_some(DrawingPoint { x, y })
}
